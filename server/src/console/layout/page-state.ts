import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Assets } from '../assets.js';
import type { CurrentUser } from '../routing/console-deps.js';

/** What the parts of a page know of the visit. */
export interface PageState {
  /** Undefined where nobody is signed in, null where the page is the same for everybody. */
  readonly visitor: CurrentUser | undefined | null;
  readonly assets: Assets;
  readonly isSignUpOpen: boolean;
  /** The path of the page, as its route has it. */
  readonly path: string;
  /** Makes the token that a form must carry. */
  readonly formToken: () => string;
}

const Context = createContext<PageState | undefined>(undefined);

export const PageStateProvider = Context.Provider;

export function usePageState(): PageState {
  const state = useContext(Context);
  if (state === undefined) throw new Error('A part of a page was rendered outside of a page.');
  return state;
}

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Account } from '../../accounts/account.js';
import type { Assets } from './assets.js';

/** The person who looks at a page, signed in, in a session of theirs. */
export interface CurrentUser {
  readonly sessionId: string;
  /** Names the session in the list of those of the account. */
  readonly sessionKey: string;
  readonly account: Account;
  /** When the password was last given in this session. */
  readonly passwordAtMs: number;
}

/** Who may see a page. */
export type Access = 'everybody' | 'signedIn' | 'operator';

/** A page that the menu leads to. */
export interface MenuEntry {
  readonly path: string;
  readonly label: string;
  readonly access: Access;
}

/** How people reach the operator. */
export interface Contact {
  readonly label: string;
  readonly href: string;
}

/** What the parts of a page know of the request. */
export interface PageState {
  /** Undefined where nobody is signed in, null where the page is the same for everybody. */
  readonly user: CurrentUser | undefined | null;
  readonly assets: Assets;
  readonly menu: readonly MenuEntry[];
  readonly isSignUpOpen: boolean;
  readonly contact: Contact | undefined;
  /** How many requests wait for the operator; 0 for everybody else. */
  readonly openRequests: number;
  /** The path of the page, as its route has it. */
  readonly path: string;
  /** What was done just before, as the address says; empty where nothing was. */
  readonly doneCode: string;
  /** The first characters of the key that it was done to; empty where it was done to none. */
  readonly doneKey: string;
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

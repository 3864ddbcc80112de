import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Account } from '../../accounts/account.js';
import type { Assets } from './assets.js';
import type { FormProblems } from './form-data.js';

/** The signed-in person who requests a page, and their session. */
export interface CurrentUser {
  readonly sessionId: string;
  /** Identifies the session in the account's list of sessions. */
  readonly sessionKey: string;
  readonly account: Account;
  /** When the password was last entered in this session. */
  readonly passwordAtMs: number;
}

export type Access = 'everybody' | 'signedIn' | 'operator';

export interface MenuEntry {
  readonly path: string;
  readonly label: string;
  readonly access: Access;
}

export interface Contact {
  readonly label: string;
  readonly href: string;
}

export interface PageState {
  /** Undefined if nobody is signed in, null if the page is the same for everybody. */
  readonly user: CurrentUser | undefined | null;
  readonly assets: Assets;
  readonly menu: readonly MenuEntry[];
  readonly isSignUpOpen: boolean;
  readonly contact: Contact | undefined;
  /** The number of inbox requests that wait for an operator; 0 on pages for everybody else. */
  readonly openRequests: number;
  /** The path of the page, as in its route. */
  readonly path: string;
  /** The code of the action that led to this page, from the address; empty if there isn't one. */
  readonly doneCode: string;
  /** The time of the request; undefined if the page is the same for everybody. */
  readonly nowMs?: number;
  /** The first characters of the key that the action changed; empty if it changed no key. */
  readonly doneKey: string;
  /** The problems of a form that was rejected. `requestUrl` is the address to which that form was sent. */
  readonly problems?: FormProblems | undefined;
  readonly requestUrl?: string;
  /** Returns the token that the forms of the page carry. */
  readonly formToken: () => string;
}

const Context = createContext<PageState | undefined>(undefined);

export const PageStateProvider = Context.Provider;

export function usePageState(): PageState {
  const state = useContext(Context);
  if (state === undefined) throw new Error('A part of a page was rendered outside of a page.');
  return state;
}

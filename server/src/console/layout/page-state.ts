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
  /** The number of inbox requests that wait for an operator; 0 if no operator is signed in. */
  readonly openRequests: number;
  /** The path of the page's route, such as /keys/:keyId. */
  readonly path: string;
  /** The code of the action that led to this page, from the address; empty if there isn't one. */
  readonly doneCode: string;
  /** The time of the request; undefined if the page is the same for everybody. */
  readonly nowMs?: number;
  /**
   * The first characters of the key that the action of `doneCode` changed, from the address; empty if the address names
   * no key.
   */
  readonly doneKey: string;
  /**
   * The problems of the form that was sent with this request and rejected. `requestUrl` is the address of the request.
   */
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

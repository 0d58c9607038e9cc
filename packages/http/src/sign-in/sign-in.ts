/** Secrets that a tab keeps while it is at the issuer. */
export interface SignInSecrets {
  /** Comes back with the person; another value means that the sign-in began elsewhere. */
  readonly state: string;
  /** Stands in the ID token: one that was made for another sign-in has another. */
  readonly nonce: string;
  /** Of PKCE: without it the returned code is useless. */
  readonly verifier: string;
}

export interface BegunSignIn extends SignInSecrets {
  /** Where the browser goes. */
  readonly address: string;
}

export interface ReturnedSignIn extends SignInSecrets {
  /** Address to which the issuer returned the browser: as at the beginning. */
  readonly redirectUri: string;
  /** The parameters that it added. */
  readonly parameters: URLSearchParams;
}

/** What the issuer has given. */
export interface IssuedTokens {
  /** Each may be good for an API; the one that is for one comes first. */
  readonly tokens: readonly string[];
  /** null: it gives none, and the person signs in again when the token expires. */
  readonly refreshToken: string | null;
  readonly idToken: string | null;
}

export interface EndedSignIn {
  readonly idToken: string | null;
  readonly refreshToken: string | null;
  /** Where the issuer sends the browser back to. */
  readonly redirectUri: string;
}

/** How people get a token for the console. Nothing of a sign-in is kept on the server: any process may finish it. */
export interface SignIn {
  /** Whom people are sent to, for the page to name: `login.example.org`. */
  readonly issuer: string;
  /** Throws if the issuer does not answer. */
  begin(redirectUri: string): Promise<BegunSignIn>;
  /** Returns the issuer's tokens. Throws `sign_in_refused`, and otherwise if the issuer does not answer. */
  finish(returned: ReturnedSignIn): Promise<IssuedTokens>;
  /** The next tokens after one has expired. Throws as `finish`. */
  refresh(refreshToken: string): Promise<IssuedTokens>;
  /** Gives the refresh token back, and returns the address to sign out; null: the issuer has none. */
  end(ended: EndedSignIn): Promise<string | null>;
}

/** What a tab keeps between going to the issuer and coming back, and nobody else sees. */
export interface SignInSecrets {
  /** Comes back with the person; another value means that the sign-in began elsewhere. */
  readonly state: string;
  /** Stands in the ID token: one that was made for another sign-in has another. */
  readonly nonce: string;
  /** Of PKCE: without it nobody can use the code that comes back. */
  readonly verifier: string;
}

export interface BegunSignIn extends SignInSecrets {
  /** Where the browser goes. */
  readonly address: string;
}

export interface ReturnedSignIn extends SignInSecrets {
  /** Where the issuer has sent the browser to: the same as at the beginning. */
  readonly redirectUri: string;
  /** What it has put behind that. */
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
  /** Throws where the issuer does not answer. */
  begin(redirectUri: string): Promise<BegunSignIn>;
  /**
   * Returns what the issuer has given. Throws `sign_in_refused`, and otherwise where the issuer does not answer.
   */
  finish(returned: ReturnedSignIn): Promise<IssuedTokens>;
  /** The next tokens of somebody whose token has expired. Throws as `finish`. */
  refresh(refreshToken: string): Promise<IssuedTokens>;
  /** Gives the refresh token back, and returns where the browser goes to sign out; null: the issuer has no such address. */
  end(ended: EndedSignIn): Promise<string | null>;
}

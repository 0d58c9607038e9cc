/** What is written in place of a secret. */
const HIDDEN = '[secret]';

/** Names as programs, headers, query strings and files of settings write them, before a value. */
const NAMES =
  '(?:[a-z0-9]+[_-]?)?(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|client[_-]?secret|secret|passwd|password|passphrase|pwd|credentials?|session[_-]?id|authorization|(?:access|refresh|auth|id|csrf)[_-]?token)';
/** Words that stand before a colon in sentences, too: only `=` says that a value follows. */
const WORDS = '(?:key|token|sig|signature|auth)';
// what was hidden already has a bracket, which would end a value
const VALUE = `(?:\\[secret\\]|"[^"]{1,2000}"|'[^']{1,2000}'|[^\\s"'&,;)}\\]]{3,2000})`;
const QUOTED = `["']\\s{0,3}:\\s{0,3}(?:"[^"]{1,2000}"|'[^']{1,2000}')`;

/** Each is linear in the length of the text; what is in the first parentheses stays. */
const PATTERNS: readonly RegExp[] = [
  /()-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]{0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  // scheme://user:password@host, and a token alone in its place
  /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@"'<>]{1,500}(?=@)/gi,
  /(\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Dd]igest|[Nn]egotiate)\s{1,5})(?=[a-z]{0,40}[A-Z0-9._~+/=-])[A-Za-z0-9._~+/=-]{6,10000}/g,
  /()\beyJ[A-Za-z0-9_-]{5,5000}\.[A-Za-z0-9_-]{2,10000}(?:\.[A-Za-z0-9_-]{0,5000})?/g,
  // AWS; Stripe; GitHub, GitLab, Slack, npm, OpenAI, Google, SendGrid
  /()\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,20}\b/g,
  /()\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{10,200}\b/g,
  /()\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|npm_|sk-|AIza|SG\.)[A-Za-z0-9_.-]{10,300}/g,
  new RegExp(`(\\b${NAMES}["']?\\s{0,3}[=:]\\s{0,3}(?:(?:Bearer|Basic)\\s)?)${VALUE}`, 'gi'),
  new RegExp(`(\\b${WORDS}=)${VALUE}`, 'gi'),
  new RegExp(`(["']${WORDS})${QUOTED}`, 'gi'),
];

/**
 * A text without what looks like a secret, whoever wrote it: tokens behind Bearer and Basic, passwords in URLs, values of
 * `key=` and `password:`, JWTs, private keys, and the keys of well-known services.
 */
export function cleanSecrets(text: string): string {
  return PATTERNS.reduce((clean, pattern) => clean.replace(pattern, `$1${HIDDEN}`), text);
}

const common = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src 'self' data:";

/** The list: its own script and style, and the JSON it asks for. */
export const LIST_PAGE_POLICY = `${common}; script-src 'self'; style-src 'self'; connect-src 'self'`;

/**
 * A mail: no script at all. The sandboxed frame with the mail's HTML inherits this policy, and mails are written with
 * inline styles, so these are allowed. A PDF is shown from this origin.
 */
export const MAIL_PAGE_POLICY = `${common}; style-src 'self' 'unsafe-inline'; object-src 'self'; frame-src 'self'`;

/**
 * What every answer says to browsers: take the body for what it is, keep no copy, run and load nothing of it, show it in
 * no frame, tell no other page from where somebody came. A page that needs more sets its own Content-Security-Policy.
 */
export function securityHeaders(isBehindTls: boolean): readonly (readonly [name: string, value: string])[] {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    // two years; meaningless, and ignored, where the request came without TLS
    ...(isBehindTls ? [['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'] as const] : []),
  ];
}

/**
 * The pages' Content-Security-Policy. `redirectsTo` are the addresses a form's answer may lead to
 * (`successUrl`, `cancelUrl`): browsers apply `form-action` to the redirect after a POST too.
 */
export function pagePolicy(nonce: string, redirectsTo: readonly string[] = []): string {
  const origins = new Set(
    redirectsTo.filter((url) => /^https?:/i.test(url) && URL.canParse(url)).map((url) => new URL(url).origin),
  )
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src https: data: 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

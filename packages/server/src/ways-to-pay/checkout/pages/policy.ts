/**
 * Returns the Content-Security-Policy of the pages. `redirectsTo` lists the URLs that a form may redirect to
 * (`successUrl`, `cancelUrl`), because browsers apply `form-action` to the redirect after a POST, too. A preview can
 * be framed by our own pages, and nothing in it works: it runs no scripts and sends no forms.
 */
export function pagePolicy(
  nonce: string,
  redirectsTo: readonly string[] = [],
  { isPreview = false }: { isPreview?: boolean } = {},
): string {
  const origins = new Set(
    redirectsTo.filter((url) => /^https?:/i.test(url) && URL.canParse(url)).map((url) => new URL(url).origin),
  )
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' https: data:",
    "connect-src 'self'",
    ["form-action 'self'", ...origins].join(' '),
    "base-uri 'none'",
    ...(isPreview ? ["frame-ancestors 'self'", 'sandbox'] : ["frame-ancestors 'none'"]),
  ].join('; ')
}

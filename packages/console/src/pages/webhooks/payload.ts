type Headers = readonly { name: string; value: string }[]
type Shown = { method: string; url: string; headers: Headers; body: string }

/** Returns a curl command that repeats a request. The body is sent exactly as it was signed. */
export const curlOf = ({ method, url, headers, body }: Shown): string =>
  [
    `curl -i -X ${method} ${quoted(url)}`,
    ...headers.map((header) => `-H ${quoted(lineOf(header))}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ')

/** Returns headers as text, one per line. */
export const headerLines = (headers: Headers): string => headers.map(lineOf).join('\n')

const lineOf = ({ name, value }: Headers[number]) => `${name}: ${value}`

/** Quotes a text for a POSIX shell, so that nothing in it is interpreted. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns JSON with indentation, and any other text unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

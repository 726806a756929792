import type { Route } from '../commands/route.ts'

/**
 * Returns a function that looks up which methods a URL supports. It is called for requests with a method that
 * the URL does not support, and returns `undefined` if no route has this URL. The patterns are compiled on the
 * first such request, because adding a route for every unsupported method would take longer than adding all
 * real routes.
 */
export function findMethods(routes: Route[]): (address: string) => string | undefined {
  let patterns: { pattern: RegExp; allow: string }[] | undefined
  return (address) => {
    patterns ??= patternsOf(routes)
    const path = address.replace(/[?#].*/s, '')
    return patterns.find(({ pattern }) => pattern.test(path))?.allow
  }
}

function patternsOf(routes: Route[]) {
  const byUrl = [...Map.groupBy(routes, ({ url }) => url)]
  // As in the router, a fixed segment takes precedence over a parameter.
  byUrl.sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
  return byUrl.map(([url, own]) => {
    const methods: readonly string[] = own.flatMap(({ method }) => method)
    return {
      pattern: new RegExp(
        `^${url
          .split(/(:\w+|\*)/)
          .map(part)
          .join('')}$`,
      ),
      allow: methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', '),
    }
  })
}

const rank = (url: string) => url.replaceAll(/:\w+/g, '~').replaceAll('*', '~~')
const part = (text: string) =>
  text.startsWith(':') ? '[^/]+' : text === '*' ? '.*' : text.replaceAll('.', '\\.')

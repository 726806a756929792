import { foldersInOrder } from '../../scripts/documents/folders.ts'
import { findIn, type Source } from './sources.ts'

const writing = /^(?:insert|update|upsert|delete|mark|forget|set)/

/** Functions of a store that write and that another slice calls, with the reason. */
const shared: Record<string, string> = {
  'money/recalls updateReturned': 'a recall returns part of a case’s money, and both hold the case’s lock',
  'tenants/sign-in deleteSessions': 'the job that forgets expired sessions belongs to signing in',
  'tenants/team markReplaced': 'a token is rolled together with the new one, which only the team may create',
  'ways-to-pay/checkout insertingOrders': 'an order is inserted in the statement that inserts its session',
}

const sliceOf = (file: string) =>
  foldersInOrder().find((slice) => file.startsWith(`src/${slice}/`)) ?? 'wiring'

/** Returns each import of a writing function from the store of another slice. Reading another store is allowed. */
export function foreignStoreWrites(program: Source[], allowed = shared): string[] {
  return program.flatMap((source) =>
    findIn(source, /^import (?:type )?\{([^}]*)\} from '([^']*\bstore\.ts)'/gm).flatMap(({ at, match }) => {
      const [, names = '', specifier = ''] = match
      const slice = sliceOf(source.path)
      const owner = sliceOf(new URL(specifier, `file:///${source.path}`).pathname.slice(1))
      if (owner === slice) return []
      return names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => writing.test(name) && !allowed[`${slice} ${name}`])
        .map((name) => `${at} ${slice} calls ${name}, which writes rows of ${owner}`)
    }),
  )
}

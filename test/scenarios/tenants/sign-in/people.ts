import { must } from '@pesewa/values'
import type { Database } from '../../../../packages/server/src/platform/db/database.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { createLink } from '../../../../packages/server/src/tenants/sign-in/links.ts'
import { beginSession } from '../../../../packages/server/src/tenants/spaces/sessions.ts'
import { selectUser } from '../../../../packages/server/src/tenants/spaces/store.ts'
import type { TestApp } from '../../../support/harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
type Answer = { status: number; reason: string | undefined; result: any; cookies: string[] }

/** Returns helpers for users who sign in, each with their own cookies, as in a browser. */
export function peopleOf(t: TestApp) {
  const { db, home, baseUrl } = t.app.parts

  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { origin: baseUrl, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: parsed JSON
    const json: any = await response.json()
    const answer: Answer = {
      status: response.status,
      reason: json.error?.reason,
      result: json.result,
      cookies: response.headers.getSetCookie(),
    }
    return answer
  }

  const begin = (userId: string, at = new Date()) =>
    home.transaction((tx) =>
      beginSession(tx, { userId, method: 'link', address: '192.0.2.1', agent: '' }, at),
    )

  return {
    send,
    /** Starts a session at a given time and returns functions that send its requests. */
    async signedIn(userId: string, at?: Date) {
      const cookie = `pesewa=${await begin(userId, at)}`
      return {
        cookie,
        call: (method: string, path: string, body?: unknown) =>
          send(method, path, method === 'POST' || method === 'PATCH' ? (body ?? {}) : undefined, { cookie }),
      }
    },
    async linkSecret(userId: string, lifeMs = 60_000) {
      const link = await home.transaction((tx) => createLink(tx, t.app.parts, userId, lifeMs))
      return must(link.split('#link=')[1], 'secret of a link')
    },
    emailOf: async (userId: string) => must(await selectUser(db, userId), 'user').email,
  }
}

/** Returns the cookies that a browser would send back. */
export const cookieOf = (cookies: string[], name: string) =>
  cookies.map((each) => each.split(';', 1)[0] ?? '').find((each) => each.startsWith(`${name}=`)) ?? ''

/** Returns the bytes of a secret that is shown to an authenticator app. */
export const secretIn = (uri: string): Buffer => bytesOf(new URL(uri).searchParams.get('secret') ?? '')

/** Decodes base32. */
export function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Returns every row of every table, as text. */
export async function storedIn(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(sql`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`)
  const rows = await Promise.all(
    tables.map(({ name }) =>
      // The database itself returns the names in quotes.
      db.query<{ row: string }>({ text: `select each::text as row from ${name} each`, values: [] } as never),
    ),
  )
  return rows.flatMap((each) => each.map(({ row }) => row)).join('\n')
}

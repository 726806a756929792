import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { startDatabaseProxy } from '../../../../../test/support/database-proxy.ts'
import { until } from '../../../../../test/support/harness.ts'
import { type MasterKey, masterKeysOf } from '../encryption/master-key.ts'
import { openKeyring } from '../encryption/open-keyring.ts'
import { describeError } from '../log.ts'
import { Refusal } from '../refusals.ts'
import type { Scope } from '../scope.ts'
import { ints } from './arrays.ts'
import { type Database, openDatabase, type Tx } from './database.ts'
import { storedText } from './encryption.ts'
import { connectionOf } from './servers.ts'
import { nothing, sql } from './sql.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
/** A connection outside the pool: another program on the same database. */
let other: pg.Client
const idleErrors: Error[] = []

before(async () => {
  place = await createTestDatabase()
  other = new pg.Client(place.connection)
  await other.connect()
  await other.query(`alter database ${place.connection.database} set deadlock_timeout = '50ms'`)
  db = openDatabase(place.connection, { maxConnections: 8, onIdleError: (error) => idleErrors.push(error) })
  await other.query(`create table notes (id integer primary key, text text not null, amount bigint,
    constraint notes_text check (text <> ''))`)
  await other.query(
    `create table pairs (id integer primary key, parent integer references pairs deferrable initially deferred)`,
  )
})
after(async () => {
  await other.end()
  await db.close()
  await place.drop()
})

const note = (id: number, text = 'x') => sql`insert into notes (id, text) values (${id}, ${text})`
const isKept = async (id: number) =>
  (await other.query('select from notes where id = $1', [id])).rowCount === 1

test('a transaction that needs the keys of a Space is repeated, and is not open while they are loaded', async (t) => {
  const openTransactions = async () =>
    (
      await other.query(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      )
    ).rowCount
  const open: unknown[] = []
  const [master] = masterKeysOf({}, () => 'x'.repeat(40))
  const kms: MasterKey = {
    ...master,
    async unwrap(wrapped) {
      open.push(await openTransactions())
      return master.unwrap(wrapped)
    },
  }
  const encryption = openKeyring(place.connection, [kms])
  const own = openDatabase(place.connection, { maxConnections: 2, encryption, onIdleError: () => {} })
  t.after(() => own.close())
  const scope: Scope = { spaceId: '01a0e5c8-0000-7000-8000-000000000001', environment: 'test' }
  let runs = 0
  const { hash } = await own.transaction(async (tx) => {
    runs++
    await tx.run(note(950))
    return tx.only<{ hash: string }>(sql`select ${storedText(scope, '+23276123456')}::text as hash`)
  })
  assert.match(hash, /^#/)
  assert.ok(runs > 1)
  assert.deepEqual(open, [0])
  assert.equal(await isKept(950), true)
})

describe('a snapshot', () => {
  test('reads one moment in time, whatever is written meanwhile', async () => {
    const counts = await db.snapshot(async (reader) => {
      const count = async () => (await reader.one<{ count: bigint }>(sql`select count(*) from notes`))!.count
      const before = await count()
      await db.transaction((tx) => tx.run(note(900)))
      return [before, await count()]
    })
    assert.equal(counts[0], counts[1])
    assert.equal(await isKept(900), true)
  })

  test('cannot write', async () => {
    await assert.rejects(
      db.snapshot((reader) => reader.query(note(901))),
      (error) => error instanceof Refusal && error.reason === 'service_unavailable',
    )
    assert.equal(await isKept(901), false)
  })
})

test('a statement timeout becomes a refusal whose cause, with its SQLSTATE, is logged', async () => {
  const slow = db.transaction((tx) => tx.query(sql`select pg_sleep(60)`), { statementTimeoutMs: 50 })
  await assert.rejects(slow, (error) => {
    assert.ok(error instanceof Refusal && error.reason === 'service_unavailable')
    const { cause } = describeError(error)
    assert.deepEqual([cause?.code, cause?.message], ['57014', 'canceling statement due to statement timeout'])
    return true
  })
})

describe('snapshots on several connections', () => {
  test('see the same moment in time, and each ends with its own work, because idle transactions are closed', async () => {
    const isOneLeft = async () => {
      const { rows } = await other.query(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and backend_xmin is not null`,
      )
      return rows.length === 1
    }
    for (const early of [0, 1]) {
      const counts: bigint[] = []
      const begun = Promise.withResolvers<void>()
      let turn = 0
      await db.snapshots(2, () => async (reader) => {
        const mine = turn++
        if (turn === 2) begun.resolve()
        await begun.promise
        if (mine !== early) await until(isOneLeft)
        counts.push((await reader.one<{ count: bigint }>(sql`select count(*) from notes`))!.count)
        if (mine === early) await other.query(`insert into notes (id, text) values (${910 + early}, 'later')`)
      })
      assert.equal(counts[0], counts[1])
    }
  })

  test('fail together', async () => {
    let turn = 0
    const failing = db.snapshots(2, () => async () => {
      if (turn++ === 1) throw new Error('the second')
    })
    await assert.rejects(failing, /the second/)
  })
})

describe('a listener for the end of a transaction', () => {
  const outcomes: string[] = []
  const noteEnd = (of: string) => (hasCommitted: boolean) => void outcomes.push(`${of} ${hasCommitted}`)

  test('is called after the commit, and after each failed attempt', async () => {
    let tries = 0
    await db.transaction(async (tx) => {
      tx.onEnd(noteEnd(`try ${++tries}`))
      await tx.run(note(920))
      if (tries === 1) throw Object.assign(new Error('a deadlock’s victim'), { code: '40P01' })
    })
    assert.deepEqual(outcomes, ['try 1 false', 'try 2 true'])
  })

  test('is not told of a commit if there was none', async () => {
    outcomes.length = 0
    const throwing = db.transaction((tx) => {
      tx.onEnd(noteEnd('throws'))
      throw new Error('undone')
    })
    await assert.rejects(throwing)
    const unanswered = db.transaction(async (tx) => {
      tx.onEnd(noteEnd('goes away'))
      await terminate((await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`))!.pid)
    })
    await assert.rejects(unanswered, isUnavailable)
    assert.deepEqual(outcomes, ['throws false', 'goes away false'])
  })
})

describe('a transaction', () => {
  test('commits everything and returns the result of its work', async () => {
    assert.equal(await db.transaction(async (tx) => (await tx.run(note(1))) + (await tx.run(note(2)))), 2)
    assert.ok((await isKept(1)) && (await isKept(2)))
  })

  test('leaves nothing when its work throws, and rethrows', async () => {
    const failure = new Error('on purpose')
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run(note(10))
        throw failure
      }),
      (error) => error === failure,
    )
    assert.equal(await isKept(10), false)
  })

  test('is invisible to others until it commits', async () => {
    await db.transaction(async (tx) => {
      await tx.run(note(11))
      assert.equal(await isKept(11), false)
    })
    assert.equal(await isKept(11), true)
  })

  test('throws when its commit fails, as with a deferred constraint', async () => {
    await assert.rejects(
      db.transaction((tx) => tx.run(sql`insert into pairs (id, parent) values (1, 99)`)),
      { code: '23503' },
    )
    assert.equal((await other.query('select from pairs')).rowCount, 0)
  })

  test('throws when a failed statement was swallowed, instead of silently committing nothing', async () => {
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run(note(12))
        await tx.run(note(13, '')).catch(() => {})
      }),
      /was rolled back/,
    )
    assert.equal(await isKept(12), false)
  })

  test('whose commit is not confirmed in time is refused, and what it wrote and its wake-ups appear once it is confirmed', async (t) => {
    const proxy = await startDatabaseProxy(place.connection)
    const throughProxy = openDatabase(connectionOf(proxy.url), {
      maxConnections: 1,
      commitLimitMs: 50,
      onIdleError: () => {},
    })
    t.after(async () => {
      await throughProxy.close()
      proxy.close()
    })
    const heard: unknown[] = []
    await throughProxy.onWake('unconfirmed', (about) => heard.push(about))
    heard.length = 0
    const ends: boolean[] = []
    const commits = proxy.holdCommits(/insert into notes/)
    await assert.rejects(
      throughProxy.transaction(async (tx) => {
        tx.onEnd((hasCommitted) => ends.push(hasCommitted))
        tx.wake('unconfirmed', 'note')
        await tx.run(note(60))
      }),
      (error) => error instanceof Refusal && error.status === 503 && error.headers['retry-after'] === '1',
    )
    assert.deepEqual([ends, heard], [[false], []])
    commits.release()
    // The only connection can be used again.
    await throughProxy.transaction((tx) => tx.run(note(61)))
    assert.deepEqual([await isKept(60), heard], [true, ['note']])
  })

  test('is retried after a deadlock, and both complete', async () => {
    await other.query(`insert into notes (id, text) values (20, 'x'), (21, 'x')`)
    const runs = { a: 0, b: 0 }
    const bothHold = Promise.withResolvers<void>()
    let holders = 0
    const lockBoth = (name: 'a' | 'b', first: number, second: number) =>
      db.transaction(async (tx) => {
        runs[name]++
        await tx.run(sql`update notes set text = text || ${name} where id = ${first}`)
        if (++holders === 2) bothHold.resolve()
        await bothHold.promise
        await tx.run(sql`update notes set text = text || ${name} where id = ${second}`)
      })
    await Promise.all([lockBoth('a', 20, 21), lockBoth('b', 21, 20)])
    assert.equal(runs.a + runs.b, 3)
    const { rows } = await other.query('select text from notes where id in (20, 21)')
    for (const { text } of rows) assert.deepEqual([...text].sort(), ['a', 'b', 'x'])
  })

  test('gives up after the third deadlock', async () => {
    let runs = 0
    const always = async () => {
      runs++
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }
    await assert.rejects(db.transaction(always), { code: '40P01' })
    assert.equal(runs, 3)
  })
})

describe('a single statement', () => {
  test('is retried after a deadlock', async () => {
    await other.query(`insert into notes (id, text) values (30, 'x'), (31, 'x')`)
    const blocker = new pg.Client(place.connection)
    await blocker.connect()
    try {
      await blocker.query('select pg_advisory_lock(30)')
      // PostgreSQL aborts the one that checks for deadlocks first.
      await other.query(
        `begin; set local deadlock_timeout = '1min'; update notes set text = text || 'b' where id = 31`,
      )
      const written = db.write(sql`
        with first as (update notes set text = text || 'a' where id = 30 returning id),
          pause as (select pg_advisory_xact_lock(30) from first)
        update notes set text = text || 'a' where id = 31 and exists (select from pause)`)
      await until(() => areWaiting(1))
      const second = other.query(`update notes set text = text || 'b' where id = 30`)
      await until(() => areWaiting(2))
      await blocker.query('select pg_advisory_unlock(30)')
      await second
      await other.query('commit')
      await written
    } finally {
      await blocker.end()
    }
    const { rows } = await other.query('select text from notes where id in (30, 31)')
    assert.deepEqual(rows, [{ text: 'xba' }, { text: 'xba' }])
  })

  test('waits for a lock as long as its condition says, and leaves the limit of the connection unchanged', async () => {
    await other.query(`insert into notes (id, text) values (32, 'x')`)
    await other.query(`begin; update notes set text = 'y' where id = 32`)
    const alone = openDatabase(place.connection, {
      maxConnections: 1,
      lockTimeoutMs: 400,
      onIdleError: () => {},
    })
    const write = async (lockTimeoutMs: number) => {
      const begunAt = performance.now()
      await assert.rejects(
        alone.write(
          sql`update notes set text = 'z' where id = 32 and ${alone.limitLocks({ lockTimeoutMs })}`,
        ),
        { code: '55P03' },
      )
      return performance.now() - begunAt
    }
    try {
      assert.ok((await write(50)) < 300)
      assert.ok((await write(60_000)) < 5_000, 'a longer limit than that of the connection is ignored')
      assert.deepEqual(await alone.one(sql`show lock_timeout`), { lockTimeout: '400ms' })
    } finally {
      await other.query('rollback')
      await alone.close()
    }
    assert.equal((await other.query('select text from notes where id = 32')).rows[0].text, 'x')
  })
})

const areWaiting = async (count: number) =>
  (
    await db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length === count

describe('gathered rows', () => {
  const statements: number[][] = []
  const notes = (ids: number[]) => {
    statements.push(ids)
    return sql`insert into notes (id, text) select unnest(${ints(ids)}::integer[]), 'gathered'`
  }

  test('are written in one statement right before the commit', async () => {
    statements.length = 0
    await db.transaction(async (tx) => {
      tx.gather(notes, [70])
      await tx.run(note(71))
      tx.gather(notes, [72, 73])
      assert.deepEqual(await tx.query(sql`select id from notes where id in (70, 72, 73)`), [])
    })
    assert.deepEqual(statements, [[70, 72, 73]])
    assert.deepEqual(await Promise.all([70, 71, 72, 73].map(isKept)), [true, true, true, true])
  })

  test('are not written if the transaction throws', async () => {
    await assert.rejects(
      db.transaction((tx) => {
        tx.gather(notes, [77])
        throw new Error('undone')
      }),
    )
    assert.equal(await isKept(77), false)
  })

  test('undo the transaction if they cannot be written', async () => {
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run(note(78))
        tx.gather(notes, [79, 79])
      }),
      { code: '23505' },
    )
    assert.equal(await isKept(78), false)
  })
})

describe('a sent statement', () => {
  test('is committed, and later statements see what it has written', async () => {
    const seen = await db.transaction((tx) => {
      tx.send(note(80))
      return tx.query(sql`select id from notes where id = 80`)
    })
    assert.deepEqual(seen, [{ id: 80 }])
    assert.equal(await isKept(80), true)
  })

  test('undoes the transaction with its own error if it fails, even if a later statement fails, too', async () => {
    for (const later of [async () => {}, (tx: Tx) => tx.run(note(83))])
      await assert.rejects(
        db.transaction(async (tx) => {
          await tx.run(note(81))
          tx.send(note(82))
          tx.send(note(82))
          await later(tx)
        }),
        { code: '23505' },
      )
    assert.deepEqual(await Promise.all([81, 82, 83].map(isKept)), [false, false, false])
  })

  test('is not sent, and neither is the commit, if its values are not encoded', async () => {
    const failing = (values: unknown) =>
      db.transaction(async (tx) => {
        await tx.run(note(84))
        tx.send(sql`insert into notes (id, text) select 85, ${values}`)
      })
    await assert.rejects(failing(['x']), /must be encoded/)
    await assert.rejects(failing({ x: 1 }), /must be encoded/)
    assert.deepEqual(await Promise.all([84, 85].map(isKept)), [false, false])
  })

  test('is retried with its transaction after a deadlock', async () => {
    let attempts = 0
    await db.transaction(async (tx) => {
      attempts += 1
      tx.send(attempts === 1 ? sql`do $$begin raise deadlock_detected; end$$` : note(86))
      await tx.run(note(87))
    })
    assert.equal(attempts, 2)
    assert.deepEqual(await Promise.all([86, 87].map(isKept)), [true, true])
  })
})

describe('rows', () => {
  test('have camel-case names, and a bigint is exact', async () => {
    const [row] = await db.query(
      sql`select 9223372036854775807::bigint as largest_amount, ${null} as no_value`,
    )
    assert.deepEqual(row, { largestAmount: 9223372036854775807n, noValue: null })
  })

  test('are queried with spliced statements whose parameters keep their order', async () => {
    const middle = sql`and ${2} = 2 ${nothing}`
    assert.deepEqual(sql`where ${1} = 1 ${middle} and ${3} = 3`.text, 'where $1 = 1 and $2 = 2  and $3 = 3')
    assert.deepEqual(sql`where ${1} = 1 ${middle} and ${3} = 3`.values, [1, 2, 3])
  })
})

describe('a lost connection', () => {
  test('causes a 503 in the middle of a transaction, and nothing is kept', async () => {
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run(note(40))
        await terminate((await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`))!.pid)
        await tx.run(note(41))
      }),
      isUnavailable,
    )
    assert.equal(await isKept(40), false)
  })

  test('never spoils the pool, even if all connections are lost at once, idle or busy', async () => {
    for (let round = 0; round < 5; round++) {
      const busy = Array.from({ length: 8 }, () =>
        db.query(sql`select pg_sleep(0.05)`).catch((error) => error),
      )
      await until(async () => (await backends()) === 8)
      await terminateAll()
      for (const outcome of await Promise.all(busy))
        assert.ok(Array.isArray(outcome) || isUnavailable(outcome))
      await until(() => db.one(sql`select 1`).catch((error) => !isUnavailable(error)))
    }
    assert.equal(
      idleErrors.every(({ message }) => /terminat/i.test(message)),
      true,
    )
  })
})

describe('a listener of a channel', () => {
  test('receives notifications from other nodes, even after its connection was terminated, and is told that it may have missed some', async () => {
    const received: (string | undefined)[] = []
    const stop = await db.onWake('a channel', (about) => received.push(about))
    await until(() => received.length === 1)
    await notify('first')
    await until(() => received.at(-1) === 'first')
    for (let round = 0; round < 3; round++) {
      const before = received.length
      await other.query(`select pg_terminate_backend(pid) from ${signsOfLife}`)
      await until(() => received.length > before)
      assert.equal(received.at(-1), undefined, 'something may have been missed')
      await notify(`after ${round}`)
      await until(() => received.at(-1) === `after ${round}`)
    }
    assert.equal(await listeners(), 1, 'no connection is left behind')
    assert.equal(received.filter((payload) => payload === 'after 2').length, 1)
    stop()
    await notify('later')
    db.wake('a channel', 'by this node')
    assert.equal(received.at(-1), 'after 2')
  })
})

/** Sends a notification like another node. */
const notify = (about: string) =>
  other.query(`select pg_notify('pesewa', $1)`, [
    JSON.stringify({ node: 1, wakes: [['a channel', [about]]] }),
  ])
const signsOfLife = `pg_locks where locktype = 'advisory' and classid = 715002
  and database = (select oid from pg_database where datname = current_database())`
const listeners = async () => (await other.query(`select from ${signsOfLife}`)).rowCount
const terminate = (pid: number) => other.query('select pg_terminate_backend($1, 5000)', [pid])
const ours = `application_name = 'pesewa' and datname = current_database()`
const backends = async () =>
  (await other.query(`select from pg_stat_activity where ${ours} and query like '%pg_sleep%'`)).rowCount
const terminateAll = () => other.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`)

function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual([error.reason, error.headers], ['service_unavailable', { 'retry-after': '1' }])
  return true
}

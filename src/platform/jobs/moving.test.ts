import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../test/support/database.ts'
import { ownMigrations } from '../db/migrate.ts'

const spaceId = '018f0000-0000-7000-8000-000000000001'
const noSpace = '00000000-0000-0000-0000-000000000000'
const payload = JSON.stringify({ spaceId, environment: 'test', paymentId: 'p' })

/** The parts of the previous queue's tables that the migration reads. */
const queueBefore = `
  create schema graphile_worker;
  create table graphile_worker._private_tasks (id int primary key, identifier text);
  create table graphile_worker._private_job_queues (id int primary key, queue_name text);
  create table graphile_worker._private_jobs (id bigint primary key, job_queue_id int, task_id int, payload json,
    run_at timestamptz, attempts smallint, last_error text, key text, locked_at timestamptz, locked_by text);
  create view graphile_worker.jobs as select * from graphile_worker._private_jobs;
  insert into graphile_worker._private_tasks values (1, 'payments.query'), (2, 'a line'), (3, 'books.verify');
  insert into graphile_worker._private_job_queues values (1, 'the line');
  insert into graphile_worker._private_jobs values
    (1, null, 1, '${payload}', '2026-01-01 12:00Z', 2, 'timeout', 'query p', now(), 'a worker'),
    (2, 1, 2, '${payload}', '2026-01-02 12:00Z', 0, null, null, null, null),
    (3, null, 3, '{}', '2026-01-03 12:00Z', 0, null, null, null, null)`

const scheduled = `
  insert into scheduled_jobs (space_id, environment, due_at, job, payload, in_order) values
    ('${spaceId}', 'test', '2027-01-02 12:00Z', 'session.expire', '${payload}', true),
    ('${spaceId}', 'live', '2027-01-01 12:00Z', 'payments.query', '${payload}', false)`

for (const [name, queue] of [
  ['waiting in the previous queue, or scheduled, are moved', queueBefore],
  ['scheduled are moved if the previous queue was never used', 'select'],
] as const)
  test(`jobs ${name}`, async () => {
    const place = await createTestDatabase()
    const client = new pg.Client(place.connection)
    await client.connect()
    try {
      await client.query('drop schema public cascade; create schema public')
      const [before, [move]] = [
        ownMigrations().filter(({ version }) => version < 29),
        ownMigrations().filter(({ version }) => version === 29),
      ]
      for (const { text } of before) await client.query(text)
      await client.query(queue)
      await client.query(scheduled)
      await client.query(move!.text)
      const { rows } = await client.query(`
        select job, space_id, environment, timing, due_at::date::text as due, key, line, attempts, last_error, taken_by
        from jobs order by due_at`)
      const waiting = { key: null, line: null, attempts: 0, last_error: null, taken_by: null }
      const ofSpace = { ...waiting, space_id: spaceId, environment: 'test' }
      const ofNone = { ...waiting, space_id: noSpace, environment: 'live', timing: 'real_time' }
      assert.deepEqual(rows.slice(-2), [
        { ...ofSpace, environment: 'live', job: 'payments.query', timing: 'space_time', due: '2027-01-01' },
        { ...ofSpace, job: 'session.expire', timing: 'in_order', due: '2027-01-02' },
      ])
      const failed = { key: 'query p', attempts: 2, last_error: 'timeout', timing: 'real_time' }
      assert.deepEqual(
        rows.slice(0, -2),
        queue === queueBefore
          ? [
              { ...ofSpace, ...failed, job: 'payments.query', due: '2026-01-01' },
              { ...ofNone, job: 'a line', line: 'the line', due: '2026-01-02' },
              { ...ofNone, job: 'books.verify', due: '2026-01-03' },
            ]
          : [],
      )
      const left = await client.query(`select to_regnamespace('graphile_worker') as schema`)
      assert.equal(left.rows[0].schema, null)
    } finally {
      await client.end()
      await place.drop()
    }
  })

import { must } from '@pesewa/values'
import Type, { type Static, type TSchema } from 'typebox'
import type { Tx } from '../../db/database.ts'
import type { IdKind } from '../../ids.ts'
import type { FindRow } from '../../shared-reads.ts'
import { object } from '../shapes/shapes.ts'
import {
  type Call,
  type ChangeRoute,
  type CommandRoute,
  change,
  command,
  type Documentation,
  type Empty,
  type GroupWriting,
  type Listed,
  type ListRoute,
  list,
  type Page,
  type Reading,
  type ReadRoute,
  read,
  type SingleWriting,
  type Writing,
} from './route.ts'

/**
 * Returns functions that define the routes of a resource. Routes that read a row respond with the resource, and
 * those that write one respond with its new state.
 */
export function resource<Row extends { id: string }, R extends TSchema>({
  url,
  permission,
  idKind,
  result,
  find,
  present,
}: {
  /** URL of the list, such as `/v1/payouts`. A single object has the URL `/v1/payouts/:id`. */
  url: string
  /**
   * Prefix of the permissions. With `payouts`, reading requires `payouts:read`, and everything else
   * `payouts:write`.
   */
  permission: string
  idKind: IdKind
  result: R
  find: FindRow<Row>
  present(row: Row, call: Pick<Call, 'scope' | 'may'>): Static<R>
}) {
  const reading = { permission: `${permission}:read`, result }
  const writing = { permission: `${permission}:write`, result }
  const one = { url: `${url}/:id`, idKind }
  const presented =
    <B>(write: (tx: Tx, call: Call<unknown, B>) => Promise<Row>) =>
    async (tx: Tx, call: Call<unknown, B>) =>
      present(await write(tx, call), call)
  return {
    /** Defines the POST that creates an object. */
    create: <B extends TSchema>(route: SingleWriting<B, Row>): CommandRoute =>
      command({ ...writing, url, ...route, write: presented(route.write) }),

    /** Like `create`, for frequent calls. Concurrent calls run in one batch, and each gets its own result. */
    createEach: <B extends TSchema>(route: GroupWriting<B, Row>): CommandRoute => ({
      kind: 'command',
      method: 'POST',
      ...writing,
      url,
      ...route,
      writeEach: async (tx, calls: Call<unknown, Static<B>>[]) =>
        (await route.writeEach(tx, calls)).map((outcome, i) =>
          'answer' in outcome ? { answer: present(outcome.answer, must(calls[i], 'call')) } : outcome,
        ),
    }),

    /** Defines the GET of a page of objects. */
    list: <Q extends TSchema = Empty>(
      route: Reading<Q> & { list(call: Call<Static<Q>>, page: Page): Promise<Listed<Row>> },
    ): ListRoute => list({ ...reading, url, ...route, present, position: ({ id }) => id }),

    /** Defines the GET of a single object. */
    read: <Q extends TSchema = Empty>(
      route: Reading<Q> & {
        /** Replaces or extends the resource's own `find`, which is passed to it. */
        find?(call: Call<Static<Q>>, find: () => Promise<Row | undefined>): Promise<Row | undefined>
      },
    ): ReadRoute =>
      read({
        ...reading,
        ...one,
        ...route,
        read: async (call: Call<Static<Q>>) => {
          const own = () => find(call.scope, call.id)
          const row = await (route.find?.(call, own) ?? own())
          return row && present(row, call)
        },
      }),

    /** Defines the PATCH of an object, which changes only the given fields. */
    change: <B extends TSchema>(
      route: Writing<B> & { write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Row> },
    ): ChangeRoute => change({ ...writing, ...one, ...route, write: presented(route.write) }),

    /** Defines the DELETE of an object, which responds with `null`, even if it is repeated. */
    remove: (route: Documentation & { write(tx: Tx, call: Call): Promise<unknown> }): ChangeRoute => ({
      kind: 'change',
      method: 'DELETE',
      ...writing,
      ...one,
      ...route,
      result: Type.Null(),
      async write(tx, call) {
        await route.write(tx, call)
        return null
      },
    }),

    /** Defines the POST of an action on an object, with a URL such as `/v1/payouts/:id/<verb>`. */
    action: <B extends TSchema>(
      verb: string,
      route: SingleWriting<B, Row> & { permission?: string; needsStepUp?: boolean },
    ): CommandRoute =>
      command({ ...writing, ...one, ...route, url: `${one.url}/${verb}`, write: presented(route.write) }),
  }
}

/** The body and example of an action that needs no input. */
export const noBody = { body: object({}), example: {} }

import Type from 'typebox'
import { described, idOf, object, timestamp } from '../platform/http/shapes.ts'
import { spaceIds } from '../spaces/resources.ts'

/** What `ledger.chained` contains: kept elsewhere, it shows later that nothing before it was altered. */
export const chainHead = object(
  {
    id: described(idOf(spaceIds), 'The Space whose books these are.'),
    number: described(Type.Integer({ minimum: 1 }), 'How many links the chain has: it only grows.', 1284),
    hash: described(
      Type.String({ pattern: '^[0-9a-f]{64}$' }),
      'SHA-256 of the newest link and of the hash before it, in hexadecimal.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    time: described(timestamp, 'When the link was made.'),
  },
  { title: 'ChainHead', description: 'The newest link of the chain over the books of a Space.' },
)

import Type from 'typebox'
import { idOf, object, timestamp, withDescription } from '../../platform/http/shapes/shapes.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'

/**
 * The data of the event `ledger.chained`. A copy kept elsewhere can later prove that nothing up to this link
 * was altered.
 */
export const chainHead = object(
  {
    id: withDescription(idOf(spaceIds), 'ID of the Space.'),
    number: withDescription(
      Type.Integer({ minimum: 1 }),
      'Number of links in the chain. It never decreases.',
      1284,
    ),
    hash: withDescription(
      Type.String({ pattern: '^[0-9a-f]{64}$' }),
      'SHA-256 of the newest link and the previous hash, in hexadecimal.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    time: withDescription(timestamp, 'When the link was added.'),
  },
  { title: 'ChainHead', description: 'The newest link in the chain over the books of a Space.' },
)

import { color } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'

// How providers look on pages, as configured by the operator.

/** `logo`: the path of a PNG file, relative to the operator's file. */
const tile = Type.Object(
  {
    color: Type.Optional(color),
    logo: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  { additionalProperties: false },
)
export const tilesShape = Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }), tile)
export type Tile = Static<typeof tile>
export type Tiles = Static<typeof tilesShape>

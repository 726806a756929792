import Type from 'typebox'
import { environments } from '../../platform/scope.ts'

export const environmentShape = Type.Enum(environments, {
  examples: ['test'],
  description: 'Environment of the connection, which can differ from that of the token: `test` or `live`.',
})

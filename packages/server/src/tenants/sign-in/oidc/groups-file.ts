import { readFileSync } from 'node:fs'
import { messageOf } from '@pesewa/values'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { ConfigError } from '../../../platform/config.ts'
import { readId } from '../../../platform/ids.ts'
import { type Role, roleNames } from '../../spaces/permissions.ts'
import { spaceIds } from '../../spaces/resources.ts'

const group = Type.String({ minLength: 1, maxLength: 256 })
const shape = Type.Object(
  {
    operators: Type.Optional(Type.Array(group, { maxItems: 1_000 })),
    spaces: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Array(Type.Object({ group, role: Type.Enum([...roleNames]) }, { additionalProperties: false }), {
          maxItems: 1_000,
        }),
      ),
    ),
  },
  { additionalProperties: false },
)
const checked = Compile(shape)

/** The rights that a user has because of their groups. */
export type GroupRoles = { isOperator: boolean; roles: Map<string, Role> }

/**
 * Returns the rights that the operator's file gives to the user's groups. In each Space, the first entry that
 * names one of these groups determines the role.
 * @throws ConfigError if the file cannot be read or is not valid
 */
export function readGroupRoles(file: string | undefined, groups: readonly string[]): GroupRoles {
  const { operators = [], spaces = {} } = file === undefined ? {} : readGroupsFile(file)
  const roles = new Map<string, Role>()
  for (const [shown, entries] of Object.entries(spaces)) {
    const entry = entries.find(({ group }) => groups.includes(group))
    const id = readId(spaceIds, shown)
    if (entry && id) roles.set(id, entry.role)
  }
  return { isOperator: operators.some((group) => groups.includes(group)), roles }
}

/**
 * Reads and validates the groups file.
 *
 * @throws ConfigError
 */
export function readGroupsFile(file: string) {
  const fail = (fault: string) => new ConfigError(`OIDC_GROUPS_FILE: ${file}: ${fault}`)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw fail(messageOf(error))
  }
  if (!checked.Check(content)) {
    const [fault] = checked.Errors(content)
    throw fail(`${fault?.instancePath || '/'} ${fault?.message}`)
  }
  const unknown = Object.keys(content.spaces ?? {}).find((shown) => !readId(spaceIds, shown))
  if (unknown !== undefined) throw fail(`"${unknown}" is not a Space id`)
  return content
}

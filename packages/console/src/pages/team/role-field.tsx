import { useState } from 'preact/hooks'
import type { api, InputOf } from '../../api/client.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { ChoiceField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from './texts.ts'

type Role = InputOf<typeof api.invitations.create>['role']

const all: readonly Role[] = ['owner', 'admin', 'developer', 'finance', 'support', 'viewer']

/** Returns the roles that the user may assign. Only an owner may assign the owner role. */
export function useReachableRoles(): readonly Role[] {
  const { role } = useCurrentSpace().space
  return all.filter((one) => role === 'owner' || one !== 'owner')
}

/** Returns the role that was chosen in `RoleField`. */
export const roleFrom = (form: FormReader) => form.choice<Role>('role')

/** A role field with a description of the chosen role. Without an initial role, the user must choose one. */
export function RoleField({ initial }: { initial?: Role }) {
  const t = useTexts()
  const [chosen, choose] = useState<string>(initial ?? '')
  const roles = useReachableRoles().map((role) => [role, t.roles[role] ?? role] as const)
  // A role that is merely preselected would be given by accident.
  const choices = Object.fromEntries(initial ? roles : [['', t.chooseRole], ...roles])
  const about: Record<string, string> = t.about
  return (
    <ChoiceField
      name="role"
      label={t.role}
      hint={about[chosen]}
      choices={choices}
      initial={initial ?? ''}
      isRequired
      onChange={choose}
    />
  )
}

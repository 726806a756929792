import { api } from '../api/client.ts'
import { useRows } from '../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../api/scope.tsx'

const most = 50

/** The email address of a member, or their ID if the user may not see the team. */
export function MemberName({ id }: { id: string }) {
  const { me } = useCurrentSpace()
  const isMe = id === me.user.id
  const mayList = usePermissions()('members:read')
  const members = useRows(api.members.list, [{ limit: most }], { enabled: !isMe && mayList })
  return <>{isMe ? me.user.email : (members.rows.find((member) => member.id === id)?.email ?? id)}</>
}

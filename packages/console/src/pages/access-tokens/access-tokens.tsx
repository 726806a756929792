import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../text/format.tsx'
import { NewTokenDialog, RollDialog } from './dialogs.tsx'
import { useTexts } from './texts.ts'

type AccessToken = ResultOf<typeof api.accessTokens.list>[number]

export default function AccessTokens() {
  const t = useTexts()
  const mayWrite = usePermissions()('access-tokens:write')
  // The state is kept outside the row, because rolling the token changes the row, but the dialog with the new
  // token must stay open.
  const [rolling, roll] = useState<AccessToken>()
  return (
    <>
      <ListPage
        page="/access-tokens"
        of={api.accessTokens.list}
        empty={t.empty}
        filters={[{ name: 'status', label: t.status, choices: t.states }]}
        columns={[
          { label: t.name, cell: (token) => <TokenName token={token} /> },
          { label: t.owner, isExtra: true, cell: ({ user }) => user.email },
          {
            label: t.scopes,
            isExtra: true,
            cell: ({ scopes }) => (scopes.includes('*') ? t.uses.all : scopes.join(', ')),
          },
          { label: t.status, cell: (token) => <TokenStatus token={token} /> },
          {
            label: t.lastUsed,
            isExtra: true,
            cell: ({ lastUseTime }) => (lastUseTime ? <Time at={lastUseTime} /> : t.never),
          },
          {
            label: t.expireTime,
            cell: ({ expireTime }) => (expireTime ? <Time at={expireTime} /> : t.never),
          },
          mayWrite && {
            label: t.actions,
            cell: (token) => <Actions token={token} onRoll={() => roll(token)} />,
          },
        ]}
      >
        {mayWrite && (
          <DialogButton label={t.create} class="main">
            {(close) => <NewTokenDialog onClose={close} />}
          </DialogButton>
        )}
      </ListPage>
      {rolling && <RollDialog id={rolling.id} name={rolling.name} onClose={() => roll(undefined)} />}
    </>
  )
}

function TokenName({ token: { name, lastCharacters } }: { token: AccessToken }) {
  const t = useTexts()
  return (
    <>
      {name}
      {lastCharacters && (
        <div class="muted">
          {t.ending} <code>{lastCharacters}</code>
        </div>
      )}
    </>
  )
}

function TokenStatus({ token: { status, replacedById } }: { token: AccessToken }) {
  const t = useTexts()
  const isRolled = status === 'active' && replacedById !== null
  return <Status of={isRolled ? 'pending' : status} words={isRolled ? t.rolled : t.states[status]} />
}

/**
 * The buttons to roll and revoke a token. Users can roll only their own tokens. They can revoke another
 * member's token only if it is limited to this Space.
 */
function Actions({ token, onRoll }: { token: AccessToken; onRoll(): void }) {
  const t = useTexts()
  const { me } = useCurrentSpace()
  const { id, name, status, user, isOfThisSpaceOnly, replacedById } = token
  const isOwn = user.id === me.user.id
  if (status !== 'active') return null
  return (
    <span class="actions">
      {isOwn && !replacedById && (
        <button type="button" class="quiet" onClick={onRoll}>
          {t.roll} <span class="unseen">{name}</span>
        </button>
      )}
      {(isOwn || isOfThisSpaceOnly) && (
        <ConfirmButton
          call={api.accessTokens.delete}
          args={[id]}
          action={t.revoke}
          title={t.revokeTitle(name)}
          warning={t.revokeText}
        />
      )}
    </span>
  )
}

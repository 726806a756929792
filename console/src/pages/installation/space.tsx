import { useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useRead, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form.tsx'
import { Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { ReasonField, reasonOf } from '../../parts/reason.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { SpaceFees } from './fees.tsx'
import { type InstalledSpace, SpaceStatus } from './spaces.tsx'
import { texts } from './texts.ts'

export default function SpacePage() {
  const { id = '' } = useParams()
  const { data: space, error } = useRead(api.installation.spaces.retrieve, [id])
  if (error) return <ErrorPage error={error} />
  return space ? <Shown space={space} /> : <Loading />
}

function Shown({ space }: { space: InstalledSpace }) {
  const t = useTexts(texts)
  const may = usePermissions()
  const [isChanging, setChanging] = useState(false)
  const { suspension } = space
  return (
    <>
      <PageHead title={space.name} above={{ title: t.spaces, path: '/installation/spaces' }}>
        {may('installation:write') && (
          <button type="button" onClick={() => setChanging(true)}>
            {suspension ? t.resume : t.suspend}
          </button>
        )}
      </PageHead>
      {suspension && (
        <p class="notice">
          {t.suspendedBy(suspension.by)}, <Time at={suspension.createTime} /> · {suspension.reason}
        </p>
      )}
      <Facts
        of={[
          [t.status, <SpaceStatus status={space.status} />],
          [t.country, space.country],
          [t.members, space.memberCount],
          [t.openCases, space.openCaseCount],
          [t.createTime, <Time at={space.createTime} />],
          [t.id, <CopyText text={space.id} />],
        ]}
      />
      <SpaceFees id={space.id} />
      {isChanging &&
        (suspension ? (
          <ResumeDialog id={space.id} onClose={() => setChanging(false)} />
        ) : (
          <SuspendDialog id={space.id} onClose={() => setChanging(false)} />
        ))}
    </>
  )
}

type DialogProps = { id: string; onClose(): void }

function SuspendDialog({ id, onClose }: DialogProps) {
  const t = useTexts(texts)
  const send = useSend(api.installation.spaces.suspend)
  return (
    <FormDialog
      title={t.suspendTitle}
      action={t.suspend}
      isDangerous
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(fields) => send.mutate([id, reasonOf(fields)], { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t.suspendText}</p>
      <ReasonField issue={issueAt(send.error, 'reason')} />
    </FormDialog>
  )
}

function ResumeDialog({ id, onClose }: DialogProps) {
  const t = useTexts(texts)
  const send = useSend(api.installation.spaces.resume)
  return (
    <FormDialog
      title={t.resumeTitle}
      action={t.resume}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(fields) => send.mutate([id, reasonOf(fields)], { onSuccess: onClose })}
      onClose={onClose}
    >
      <ReasonField issue={issueAt(send.error, 'reason')} />
    </FormDialog>
  )
}

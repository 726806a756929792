import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton, ReasonField } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { SpaceFees } from './fees.tsx'
import { type InstalledSpace, SpaceStatus } from './spaces.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.installation.spaces.retrieve, SpaceView)

function SpaceView({ of: space }: { of: InstalledSpace }) {
  const t = useTexts()
  const may = usePermissions()
  const { suspension } = space
  return (
    <>
      <PageHead title={space.name} above="/installation/spaces">
        {may('installation:write') && (
          <ConfirmButton
            call={suspension ? api.installation.spaces.resume : api.installation.spaces.suspend}
            args={(form) => [space.id, form.reason()]}
            action={suspension ? t.resume : t.suspend}
            title={suspension ? t.resumeTitle : t.suspendTitle}
            isDangerous={!suspension}
            class=""
          >
            {!suspension && <p>{t.suspendText}</p>}
            <ReasonField />
          </ConfirmButton>
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
    </>
  )
}

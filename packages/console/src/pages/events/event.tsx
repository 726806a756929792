import { api, type ResultOf } from '../../api/client.ts'
import { CopyText } from '../../parts/copy.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.events.retrieve, EventView)

function EventView({ of: event }: { of: ResultOf<typeof api.events.retrieve> }) {
  const t = useTexts()
  return (
    <>
      <PageHead title={event.type} above="/events" />
      <Facts
        of={[
          [t.time, <Time at={event.timestamp} />],
          [t.sequence, event.sequence],
          [t.object, <CopyText text={event.object.id} />],
          [t.id, <CopyText text={event.id} />],
        ]}
      />
      <section>
        <h2>{t.data}</h2>
        <pre>{JSON.stringify(event.data, null, 2)}</pre>
      </section>
    </>
  )
}

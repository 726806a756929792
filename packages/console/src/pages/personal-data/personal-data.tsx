import { useState } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { usePermissions } from '../../api/scope.tsx'
import { MenuPageHead } from '../../parts/page.tsx'
import { Erasure } from './erasure.tsx'
import { Erasures } from './erasures.tsx'
import { Export } from './export.tsx'
import { Find, type Subject } from './find.tsx'
import { Holds } from './holds.tsx'
import { Periods } from './periods.tsx'
import './personal-data.css'
import { useTexts } from './texts.ts'

/**
 * The page for requests by payers: it finds a person, exports and erases their data, and shows legal holds and
 * retention periods. Its URL names the export or the erasure that it shows.
 */
export default function PersonalData() {
  const t = useTexts()
  const may = usePermissions()
  const [search, setSearch] = useSearchParams()
  // The number itself is never part of a URL.
  const [subject, setSubject] = useState<Subject>()
  const [exportId, erasureId] = [search.get('export'), search.get('erasure')]
  return (
    <div class="personal-data">
      <MenuPageHead page="/personal-data" />
      <p class="intro">{t.intro}</p>
      {may('personal-data:write') && (
        <Find
          onFound={(found, id) => {
            setSubject(found)
            setSearch(new URLSearchParams({ export: id }))
          }}
        />
      )}
      {exportId && (
        <Export
          key={exportId}
          id={exportId}
          subject={subject}
          onErasure={(id) => setSearch(new URLSearchParams({ erasure: id }))}
        />
      )}
      {erasureId && <Erasure key={erasureId} id={erasureId} />}
      <Erasures />
      {may('legal-holds:read') && <Holds />}
      <Periods />
    </div>
  )
}

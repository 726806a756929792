import { useDayFormat } from '../../text/format.tsx'

/** The day of a time, with its year, because personal data is kept for years. */
export function Day({ at }: { at: string }) {
  const dayText = useDayFormat()
  return <time dateTime={at}>{dayText(at.slice(0, 'yyyy-mm-dd'.length))}</time>
}

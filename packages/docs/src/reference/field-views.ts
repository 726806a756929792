import { renderInline } from '../markdown.ts'
import type { ShownField, ShownGroup } from './fields.ts'

export const noLinks = { resolveLink: () => undefined }
export const inline = (markdown: string) => renderInline(markdown, noLinks)

/** A field as the templates need it, with its Markdown rendered as HTML. */
type FieldView = Omit<ShownField, 'description' | 'bounds' | 'inner'> & {
  description: string
  bounds: string[]
  inner: GroupView[]
}
type GroupView = { name: string; fields: FieldView[] }

export const viewsOf = (groups: ShownGroup[]): GroupView[] =>
  groups.map(({ name, fields }) => ({ name, fields: fields.map(viewOf) }))

export const viewOf = (field: ShownField): FieldView => ({
  ...field,
  description: inline(field.description),
  bounds: field.bounds.map(inline),
  inner: viewsOf(field.inner),
})

import { Eta } from 'eta'

// Escaping is eta's default. It is set explicitly because the safety of the pages depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

/** Renders a template in this folder. */
export const renderTemplate = (name: string, view: object): string => eta.render(`./${name}`, view)

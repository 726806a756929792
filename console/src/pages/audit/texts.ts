import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    audit: 'Audit',
    actor: 'Who',
    actorHint: 'ama@shop.example',
    action: 'What',
    actionHint: 'token.create',
    object: 'About',
    objectHint: 'tok-…',
    details: 'Why, and what changed',
    none: 'nothing',
    empty: 'Nothing was decided here yet: invitations, roles, tokens, cases and the like are recorded.',
  },
  {
    audit: 'Journal',
    actor: 'Qui',
    actorHint: 'ama@shop.example',
    action: 'Quoi',
    actionHint: 'token.create',
    object: 'Objet',
    objectHint: 'tok-…',
    details: 'Pourquoi, et ce qui a changé',
    none: 'rien',
    empty: 'Rien n’a encore été décidé ici : invitations, rôles, jetons, cas et autres y sont inscrits.',
  },
)

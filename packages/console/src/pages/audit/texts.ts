import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    audit: 'Audit log',
    actor: 'Actor',
    actorHint: 'ama@shop.example',
    action: 'Action',
    actionHint: 'token.create',
    object: 'Object',
    objectHint: 'tok-…',
    details: 'Reason and changes',
    none: 'none',
    empty: 'No entries yet. Changes to members, roles, tokens and cases appear here.',
  },
  {
    audit: 'Journal d’audit',
    actor: 'Auteur',
    actorHint: 'ama@shop.example',
    action: 'Action',
    actionHint: 'token.create',
    object: 'Objet',
    objectHint: 'tok-…',
    details: 'Motif et modifications',
    none: 'aucun',
    empty:
      'Aucune entrée pour le moment. Les modifications des membres, des rôles, des jetons et des dossiers apparaissent ici.',
  },
)

import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    actor: 'Actor',
    actorHint: 'ama@shop.example',
    action: 'Action',
    actionHint: 'token.create',
    objectHint: 'tok-…',
    details: 'Reason and changes',
    empty: 'No entries yet. Changes to members, roles, tokens and cases appear here.',
  },
  {
    actor: 'Auteur',
    actorHint: 'ama@shop.example',
    action: 'Action',
    actionHint: 'token.create',
    objectHint: 'tok-…',
    details: 'Motif et modifications',
    empty:
      'Aucune entrée pour le moment. Les modifications des membres, des rôles, des jetons et des dossiers apparaissent ici.',
  },
)

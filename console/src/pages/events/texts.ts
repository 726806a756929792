import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    events: 'Events',
    type: 'Type',
    object: 'About',
    time: 'Time',
    sequence: 'Number',
    search: 'Id of an event or object',
    from: 'From',
    to: 'To',
    id: 'Id',
    data: 'As it was sent',
    catalogue: 'All types of events',
  },
  {
    events: 'Événements',
    type: 'Type',
    object: 'Concerne',
    time: 'Date',
    sequence: 'Numéro',
    search: 'Identifiant d’un événement ou objet',
    from: 'Du',
    to: 'Au',
    id: 'Identifiant',
    data: 'Tel qu’il a été envoyé',
    catalogue: 'Tous les types d’événements',
  },
)

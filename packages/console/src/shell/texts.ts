import { createTexts } from '../text/languages.tsx'

export const useTexts = createTexts(
  {
    noSpace: 'You are not a member of any Space',
    askForInvitation: (email: string) => `Ask a member of a Space to invite ${email}.`,
    notFound: 'Page not found',
    yourSpaces: 'Go to your Spaces',
    notAllowed: 'Your role does not give you access to this page',
    menu: 'Menu',
    closeMenu: 'Close menu',
    skip: 'Skip to content',
    space: 'Space',
    environment: 'Environment',
    environments: { test: 'Test', live: 'Live' },
    testNotice: 'Test environment: no real money moves.',
    language: 'Language',
    live: 'Live updates on',
    notLive: 'Live updates off. Reload to see what’s new.',
    offline: 'No connection to the service. This page may be out of date.',
    signedInAs: 'Signed in as',
    security: 'Sign-in and security',
    signOut: 'Sign out',
    search: 'Search',
    searchHint: 'Phone, name, order number, ID, amount or page',
    searchKeys: { apple: '⌘K', others: 'Ctrl K' },
    closeSearch: 'Close search',
    results: 'Results',
    searching: 'Searching…',
    found: (count: number) =>
      count === 0
        ? 'No results. Enter the full phone number, order number or ID.'
        : count === 1
          ? '1 result'
          : `${count} results`,
    attention: {
      approvals: (count: number) => `${count} awaiting approval`,
      openCases: (count: number) => (count === 1 ? '1 open case' : `${count} open cases`),
      failingWebhooks: (count: number) => (count === 1 ? '1 failing webhook' : `${count} failing webhooks`),
    },
    guides: 'Guides',
    backTo: (space: string) => `Back to ${space}`,
  },
  {
    noSpace: 'Vous n’êtes membre d’aucun Space',
    askForInvitation: (email: string) => `Demandez à un membre d’un Space d’inviter ${email}.`,
    notFound: 'Page introuvable',
    yourSpaces: 'Accéder à vos Spaces',
    notAllowed: 'Votre rôle ne donne pas accès à cette page',
    menu: 'Menu',
    closeMenu: 'Fermer le menu',
    skip: 'Aller au contenu',
    space: 'Space',
    environment: 'Environnement',
    environments: { test: 'Test', live: 'Production' },
    testNotice: 'Environnement de test : aucun argent réel ne circule.',
    language: 'Langue',
    live: 'Mises à jour en direct',
    notLive: 'Mises à jour en direct interrompues. Rechargez la page pour voir les nouveautés.',
    offline: 'Pas de connexion au service. Cette page n’est peut-être pas à jour.',
    signedInAs: 'Connecté en tant que',
    security: 'Connexion et sécurité',
    signOut: 'Se déconnecter',
    search: 'Rechercher',
    searchHint: 'Téléphone, nom, commande, identifiant, montant ou page',
    searchKeys: { apple: '⌘K', others: 'Ctrl K' },
    closeSearch: 'Fermer la recherche',
    results: 'Résultats',
    searching: 'Recherche…',
    found: (count: number) =>
      count === 0
        ? 'Aucun résultat. Saisissez en entier le numéro de téléphone, le numéro de commande ou l’identifiant.'
        : count === 1
          ? '1 résultat'
          : `${count} résultats`,
    attention: {
      approvals: (count: number) => `${count} en attente d’approbation`,
      openCases: (count: number) => (count === 1 ? '1 dossier ouvert' : `${count} dossiers ouverts`),
      failingWebhooks: (count: number) => (count === 1 ? '1 webhook en échec' : `${count} webhooks en échec`),
    },
    guides: 'Guides',
    backTo: (space: string) => `Retour à ${space}`,
  },
)

/**
 * What the API says of what it refuses, in French. `{}` stands for whatever it names there. test/tidy/refusals.test.ts finds sentences of the
 * routes that are missing here.
 */
const sentences: Record<string, string> = {
  // Reasons.
  'Some arguments are invalid; see details.': 'Certaines valeurs ne conviennent pas.',
  'That did not sign anybody in: it is wrong, was used before, or has expired.':
    'La connexion a échoué : valeur erronée, déjà utilisée ou expirée.',
  'This token may not do that in this Space.': 'Votre rôle ne permet pas de faire cela dans ce Space.',
  'This token may not do that in this Space: it needs {}.':
    'Votre rôle ne permet pas de faire cela dans ce Space : il faut le droit {}.',
  'This token may not do that in this Space: it needs {}. With refunds:propose you can propose it, and another member approves.':
    'Votre rôle ne permet pas de faire cela dans ce Space : il faut le droit {}. Avec refunds:propose, vous pouvez le proposer, et un autre membre l’approuve.',
  'This needs a fresh sign-in: show once more who you are.':
    'Ceci demande une connexion récente : reconnectez-vous.',
  'The access token is not valid.': 'Le jeton d’accès n’est pas valable.',
  'The access token has expired.': 'Le jeton d’accès a expiré.',
  'There is no such object in this Space and environment.':
    'Cet objet n’existe pas dans ce Space et cet environnement.',
  'There is no such address.': 'Cette adresse n’existe pas.',
  'The request did not arrive in time.': 'La requête n’est pas arrivée à temps.',
  'The cursor does not belong to this query; start again without `after`.':
    'La liste a changé : rechargez la page.',
  'This Idempotency-Key was used for another request.':
    'Cette demande a déjà servi pour autre chose : rechargez la page.',
  'The first request with this Idempotency-Key has not finished yet.':
    'La première demande est encore en cours.',
  'The object is in a state that forbids this.': 'L’état de l’objet ne le permet pas.',
  'The account has less than the amount and its fee available.':
    'Le compte ne dispose pas du montant et de ses frais.',
  'Less than that remains of the payment.': 'Il reste moins que cela à rembourser sur ce paiement.',
  'This payment has as many refunds as a payment can have.':
    'Ce paiement a atteint le nombre maximal de remboursements.',
  'This payment completed too long ago to be refunded.': 'Ce paiement est trop ancien pour être remboursé.',
  'Its provider can neither refund this payment nor pay out to its payer.':
    'Son opérateur ne peut ni rembourser ce paiement ni verser d’argent à son payeur.',
  'Less than that is left of the payout to be recalled.':
    'Il reste moins que cela à rappeler sur ce versement.',
  'Another object already has this reference.': 'Cette référence est déjà prise.',
  'The body is larger than 256 KiB.': 'C’est trop volumineux : 256 Kio au plus.',
  'The body is larger than {} KiB.': 'C’est trop volumineux : {} Kio au plus.',
  'Too many requests; wait and try again.': 'Trop de requêtes : patientez, puis réessayez.',
  'Something went wrong on our side; it is safe to retry with the same key.':
    'Une erreur s’est produite chez nous. Vous pouvez réessayer sans risque.',
  'The service is not available right now; it is safe to retry with the same key.':
    'Le service est momentanément indisponible. Vous pouvez réessayer sans risque.',

  // What shapes say of a value.
  'is required': 'est obligatoire',
  'is not known': 'n’est pas connu',
  'is not valid': 'n’est pas valable',
  'must not be empty': 'ne doit pas être vide',
  'must be true or false': 'doit être vrai ou faux',
  'must be of type {}': 'doit être de type {}',
  'must be one of {}': 'doit être l’une de ces valeurs : {}',
  'must have at least {} characters': 'doit avoir au moins {} caractères',
  'must have at most {} characters': 'doit avoir au plus {} caractères',
  'must have at least {} entries': 'doit avoir au moins {} éléments',
  'must have at most {} entries': 'doit avoir au plus {} éléments',
  'must have at least {} keys': 'doit avoir au moins {} clés',
  'must have at most {} keys': 'doit avoir au plus {} clés',
  'must be at least {}': 'doit être au moins {}',
  'must be at most {}': 'doit être au plus {}',
  'must be a time such as 2026-11-21T08:00:00Z, and no leap second': 'doit être une date et une heure',
  'must have a character that can be seen': 'doit avoir un caractère visible',
  'must have the form {}': 'n’a pas la bonne forme',
  'must not contain NUL or unpaired surrogates':
    'contient des caractères qui ne peuvent pas être enregistrés',
  'would come back as another number; send it as text': 'est un nombre trop grand',
  'must not be nested deeper than {} levels': 'a plus de {} niveaux',
  'is given more than once': 'est donné plusieurs fois',

  // Money and accounts.
  'is not a supported currency': 'n’est pas une devise prise en charge',
  'is there twice': 'y figure deux fois',
  'names no financial account here': 'n’est pas un compte d’ici',
  'names no financial account of the Space and environment of this case':
    'n’est pas un compte du Space de ce dossier',
  'is an account in {}, not {}': 'est un compte en {}, pas en {}',
  'is the source account': 'est le compte de départ',
  'is in {}; the case is in {}': 'est en {} ; le dossier est en {}',
  'is taken by another account': 'est déjà prise par un autre compte',
  'must be {}, as before': 'doit être {}, comme avant',
  'must be {}, as in the first item': 'doit être {}, comme pour le premier article',
  'must be {}, as it was paid': 'doit être {}, la devise du paiement',
  'must be {}, as it was paid out': 'doit être {}, la devise du versement',
  "must be {}, as the code's other amounts and its account":
    'doit être {}, comme les autres montants du code et son compte',
  'must be in {}': 'doit être en {}',
  'must be from 1 to {}, what is recalled': 'doit être entre 1 et {}, ce qui est rappelé',
  'must be more than the fee of {}, which the payer bears':
    'doit dépasser les frais de {}, à la charge du payeur',
  'must not sum to more than {}': 'ne doivent pas dépasser {} au total',
  'comes to more than {} minor units of {}': 'dépasse {} unités mineures de {}',
  'is more than the {} that it owes': 'dépasse les {} dus',
  'An account would hold more than can be counted.': 'Un compte aurait plus que ce qui peut être compté.',
  'The account has less available than the amount of the case.':
    'Le compte dispose de moins que le montant du dossier.',
  'There is too little money for all of these payouts.':
    'Il n’y a pas assez d’argent pour tous ces versements.',

  // Times.
  'must be in the future': 'doit être dans l’avenir',
  'must be within 366 days': 'doit être dans les 366 jours',
  'must be in the future, within one year': 'doit être dans le futur, dans un délai d’un an',
  'must be later than from': 'doit être après le début',
  'must be later than since': 'doit être après le début',
  'must be after from': 'doit être après le début',
  'must not be after to': 'ne doit pas être après la fin',
  'must not be before {}': 'ne doit pas être avant le {}',
  'must be at most {} days after from': 'doit être au plus {} jours après le début',
  'is yet to come': 'est à venir',
  'leaves more than {} days: narrow the range': 'laisse plus de {} jours : réduisez la période',
  'leaves more than {} lines: narrow the range, or read it as text/csv':
    'laisse plus de {} lignes : réduisez la période, ou téléchargez le CSV',

  // Phones, providers, payees.
  'is not a phone number': 'n’est pas un numéro de téléphone',
  'is not a phone number of the provider’s country': 'n’est pas un numéro du pays de l’opérateur',
  'is not an account number of 6 to 20 digits and letters':
    'n’est pas un numéro de compte de 6 à 20 chiffres et lettres',
  'is not a wallet id of 3 to 64 characters': 'n’est pas un identifiant de portefeuille de 3 à 64 caractères',
  'is a number of {}, not of {}: GET /v1/phone-numbers/{} names its providers': 'est un numéro {}, pas {}',
  'names no provider': 'n’est pas un opérateur',
  'is not a provider in the catalogue': 'n’est pas un opérateur du catalogue',
  'is not a provider': 'n’est pas un opérateur',
  'is not a momo provider': 'n’est pas un opérateur de mobile money',
  'is not a {} provider': 'n’est pas un opérateur de type {}',
  'is not available now': 'n’est pas disponible en ce moment',
  'is not taken by {}: it takes {}': 'n’est pas acceptée par {}, qui accepte {}',
  'is not a field of a {} destination': 'ne fait pas partie d’un compte de type {}',
  'does not take {}': 'n’accepte pas {}',
  'cannot be paid to': 'ne peut pas recevoir de versements',
  'is not a supported country': 'n’est pas un pays pris en charge',
  'leaves no way to pay': 'ne laisse aucun moyen de payer',

  // Forms.
  'is named twice': 'est nommé deux fois',
  'must be named once': 'doit être nommé une seule fois',
  'must be unique in the session': 'doit être unique sur la page',
  'must begin with https:// in live': 'doit commencer par https:// en production',
  'must have 1 to {} characters': 'doit avoir de 1 à {} caractères',
  'must have 1 to {} characters on one line': 'doit avoir de 1 à {} caractères sur une ligne',
  'must have at most {} characters, or be what it is': 'doit avoir au plus {} caractères, ou rester tel quel',
  'must be 1 to {} plain characters': 'doit avoir de 1 à {} caractères simples',
  'must be a single line': 'doit tenir sur une ligne',
  'must not be less than minimum': 'ne doit pas être inférieur au minimum',
  'must be at least {}: so many are paid or under way':
    'doit être au moins {} : autant sont payés ou en cours',
  'must leave each item at most {} times': 'ne doit pas permettre plus de {} fois un article',
  'must be given, or lineItems': 'doit être indiqué, ou des articles',
  'must be given, or openAmount': 'doivent être indiqués, ou un montant libre',
  'is for lineItems only': 'ne vaut que pour des articles',
  'is for recurrent codes only': 'ne vaut que pour les codes réutilisables',
  'cannot stand beside {}': 'ne peut pas aller avec {}',
  'must not stand beside entitlements': 'ne va pas avec un choix de droits',
  'must be true, or entitlements be named': 'doit être vrai, ou des droits être nommés',
  'must be disbursement: float is for what is paid out':
    'doit être un décaissement : l’approvisionnement sert aux versements',
  'must be a PNG of at most 64 KiB and 1024 × 1024 pixels':
    'doit être un PNG d’au plus 64 Kio et 1024 × 1024 pixels',
  'must be an email address': 'doit être une adresse de courriel',
  'or csv is required': 'ou un fichier CSV est obligatoire',
  'has no lines after its headings': 'n’a pas de lignes après ses titres',
  'has more than {} lines after its headings': 'a plus de {} lignes après ses titres',
  'is no CSV: {}': 'n’est pas un fichier CSV : {}',
  'has no column {}': 'n’a pas de colonne {}',
  'has the column {} twice': 'a deux fois la colonne {}',
  'has {} columns that mean nothing here: there are {}': 'a {} colonnes inconnues ici : les colonnes sont {}',
  'names no batch here': 'n’est pas un lot d’ici',
  'names no payment here': 'n’est pas un paiement d’ici',
  'names no completed payment of this Space and environment':
    'n’est pas un paiement réussi de ce Space et de cet environnement',
  'names no payment link here': 'n’est pas un lien de paiement d’ici',
  'names no payout of this Space and environment':
    'n’est pas un versement de ce Space et de cet environnement',
  'names no entitlement of this receipt': 'n’est pas un droit de ce reçu',
  'does not name an open item': 'n’est pas un écart ouvert',
  'does not name an object with events in this Space':
    'ne désigne aucun objet de ce Space avec des événements',
  'names nothing here that was decided about': 'n’est rien d’ici sur quoi une décision porte',

  // Tokens, team, webhooks, sign-in.
  '"{}" is more than you may do here': '« {} » dépasse ce que vous pouvez faire ici',
  '"{}" is not a network like 10.0.0.0/8': '« {} » n’est pas un réseau comme 10.0.0.0/8',
  '"{}" is outside the networks of your own token': '« {} » est hors des réseaux de votre propre jeton',
  'must be omitted with ED25519; the key pair is generated':
    'doit être omis avec ED25519 : la paire de clés est générée',
  'A Space can have at most {} webhooks.': 'Un Space peut avoir au plus {} webhooks.',
  'The webhook is not enabled.': 'Ce webhook n’est pas actif.',
  'A person has at most {} tokens that work.': 'Une personne a au plus {} jetons valables.',
  'Only the person whose token it is can roll it.':
    'Seule la personne à qui est ce jeton peut le renouveler.',
  'This token may do more than you may: it rolls itself, or its person does.':
    'Ce jeton permet plus que votre rôle : seule la personne à qui il est peut le renouveler.',
  'This token {}: create another.': 'Ce jeton ne peut plus servir ({}) : créez-en un autre.',
  'It is good in other Spaces, too: only its person can revoke it. Remove the member to keep it out of this one.':
    'Il vaut aussi dans d’autres Spaces : seule la personne à qui il est peut le révoquer. Retirez le membre pour l’exclure d’ici.',
  'There is no such invitation.': 'Cette invitation n’existe pas.',
  'This invitation was {}.': 'Cette invitation n’est plus valable ({}).',
  'An invitation is mailed at most {} times: withdraw it and invite again.':
    'Une invitation est envoyée au plus {} fois : retirez-la et invitez de nouveau.',
  'This is the last owner of the Space: make somebody else one first.':
    'C’est le dernier propriétaire du Space : nommez-en d’abord un autre.',
  'There is no such member of this Space.': 'Ce membre n’existe pas dans ce Space.',
  'Only an owner decides about owners.': 'Seul un propriétaire décide des propriétaires.',
  'Members are of both environments: a token of live changes them, or somebody at the console.':
    'Les membres valent pour les deux environnements : un jeton de production les modifie, ou une personne à la console.',
  'A person has at most {} passkeys.': 'Une personne a au plus {} clés d’accès.',
  'Passkeys need the service to have a name: open it by that, and not by its number.':
    'Les clés d’accès demandent un nom de service : ouvrez-le par son nom, pas par son adresse IP.',
  'There is no such passkey of yours.': 'Cette clé d’accès n’est pas à vous.',
  'There is no such session of yours.': 'Cette session n’est pas à vous.',
  'You have no passkey.': 'Vous n’avez pas de clé d’accès.',
  'There is no authenticator app.': 'Il n’y a pas d’application d’authentification.',
  'You have an authenticator app: remove it first.': 'Vous avez déjà une application : supprimez-la d’abord.',
  'No authenticator app waits to be confirmed: begin again.':
    'Aucune application n’attend d’être confirmée : recommencez.',
  'No sign-in waits for a code here: begin again with a link.':
    'Aucune connexion n’attend de code ici : recommencez avec un lien.',
  'Signing in at the identity provider did not work. Try again, or sign in by another way.':
    'La connexion chez le fournisseur d’identité a échoué. Réessayez, ou connectez-vous autrement.',
  'Single sign-on is out of order: ask whoever runs this service, or sign in by another way.':
    'L’authentification unique est hors service : adressez-vous à l’exploitant, ou connectez-vous autrement.',
  'The identity provider does not say that you have just shown there who you are.':
    'Le fournisseur d’identité ne confirme pas que vous venez de vous y identifier.',
  'This installation has no identity provider: sign in by another way.':
    'Cette installation n’a pas de fournisseur d’identité : connectez-vous autrement.',
  'This is for who is signed in, with no token.': 'Il faut être connecté, sans jeton.',
  'This Space is suspended by the operator of the service; whoever runs the service can say why.':
    'Ce Space est suspendu par l’exploitant du service, qui peut dire pourquoi.',

  // What was decided, or ended.
  'Another payment is under way.': 'Un autre paiement est en cours.',
  'This payout needs no approval.': 'Ce versement ne demande pas d’approbation.',
  'This batch needs no approval.': 'Ce lot ne demande pas d’approbation.',
  'This refund needs no approval.': 'Ce remboursement ne demande pas d’approbation.',
  'A payout is approved or rejected by another user than the one who asked for it.':
    'Un versement est approuvé ou refusé par une autre personne que celle qui l’a demandé.',
  'A batch is approved or rejected by another user than the one who created it.':
    'Un lot est approuvé ou refusé par une autre personne que celle qui l’a créé.',
  'A refund is approved or rejected by another user than the one who asked for it.':
    'Un remboursement est approuvé ou refusé par une autre personne que celle qui l’a demandé.',
  'Another refund of this payment had failed and went back after all: with this one, more would go back than was paid. Reject it.':
    'Un autre remboursement de ce paiement, d’abord en échec, a finalement abouti : avec celui-ci, le payeur recevrait plus qu’il n’a payé. Refusez-le.',
  'Some rows cannot be paid now; see details. The batch still waits, and can be rejected.':
    'Certaines lignes ne peuvent pas être payées maintenant. Le lot attend toujours, et peut être refusé.',
  'The payout was not approved.': 'Le versement n’a pas été approuvé.',
  'The payout was cancelled before it was sent.': 'Le versement a été annulé avant son envoi.',
  'Only a completed payout can be recalled.': 'Seul un versement réussi peut être rappelé.',
  'Its provider says that this payout never left: its case decides about the money.':
    'Son opérateur dit que ce versement n’est jamais parti : son dossier décide de l’argent.',
  'Another recall came back by this transaction of the provider.':
    'Un autre rappel est revenu par cette transaction de l’opérateur.',
  'This recall is {}.': 'Ce rappel est déjà traité ({}).',
  'There is no recall {}.': 'Le rappel {} n’existe pas.',
  'There is no such case.': 'Ce dossier n’existe pas.',
  'This case was closed at {}': 'Ce dossier a été clos le {}',
  'There is no such settlement.': 'Ce règlement n’existe pas.',
  'This settlement was reversed at {}.': 'Ce règlement a été contre-passé le {}.',
  'This entry of the bank is booked already.': 'Cette opération bancaire est déjà comptabilisée.',
  'is that of another settlement with this provider': 'est celle d’un autre règlement avec cet opérateur',
  'The provider owes less than that. Where it paid in advance, say so with `isAdvance`.':
    'L’opérateur doit moins que cela. S’il a payé d’avance, indiquez-le.',
  'Its provider says that this payment never arrived: its case decides about the money.':
    'Ce paiement a été marqué comme réussi à la main, mais son opérateur indique que l’argent n’est jamais arrivé : il ne peut pas être remboursé.',
  '{} Reject this refund.': 'L’argent de ce paiement n’est jamais arrivé. Rejetez ce remboursement.',
  'The link belongs to another email address.': 'Ce lien est destiné à une autre adresse e-mail.',
  'There is no such open item.': 'Cet écart n’existe pas.',
  'This item was closed at {} by {}: {}': 'Cet écart a été clos le {} par {} : {}',
  'No statement covers the time of this item yet: import one first.':
    'Aucun relevé ne couvre encore la date de cet écart : importez-en un d’abord.',
  'Another import or reconciliation is under way; try again.':
    'Un autre import ou rapprochement est en cours : réessayez.',
  'There is no such Space.': 'Ce Space n’existe pas.',
  'There is no such country here.': 'Ce pays n’existe pas ici.',
  'There is no connection {} in {}.': 'La connexion {} n’existe pas en {}.',
  'There is no such {}, or it was not sent yet.':
    'Cet objet ({}) n’existe pas, ou n’a pas encore été envoyé.',
  'There is no such {}.': 'Cet objet ({}) n’existe pas.',
  'It is paused already.': 'C’est déjà en pause.',
  'It is not paused.': 'Ce n’est pas en pause.',
  'The protocol of this connection has no read-only request to test with.':
    'Le protocole de cette connexion ne permet pas de test sans effet.',
}

type Pattern = { form: RegExp; french: string }

/** The fewest placeholders first: what names more says less. */
const patterns: Pattern[] = Object.entries(sentences)
  .sort(([one], [other]) => one.split('{}').length - other.split('{}').length || other.length - one.length)
  .map(([english, french]) => ({
    form: new RegExp(`^${english.split('{}').map(literally).join('(.*)')}$`, 's'),
    french,
  }))

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The sentence in French; as it is where it is none of the API's. */
export function inFrench(sentence: string): string {
  for (const { form, french } of patterns) {
    const [, ...named] = form.exec(sentence) ?? []
    if (form.test(sentence)) return french.replaceAll('{}', () => named.shift() ?? '')
  }
  return sentence
}

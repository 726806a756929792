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
  'must contain a visible character': 'doit contenir un caractère visible',
  'must have a character that can be seen': 'doit avoir un caractère visible',
  'must have the form {}': 'n’a pas la bonne forme',
  'must not contain NUL or unpaired surrogates':
    'contient des caractères qui ne peuvent pas être enregistrés',
  'would come back as another number; send it as text': 'est un nombre trop grand',
  'must not be nested deeper than {} levels': 'a plus de {} niveaux',
  'is given more than once': 'est donné plusieurs fois',

  // Money and accounts.
  'is not a supported currency': 'n’est pas une devise prise en charge',
  'is listed twice': 'figure deux fois dans la liste',
  'names no financial account here': 'n’est pas un compte d’ici',
  'names no financial account of the Space and environment of this case':
    'n’est pas un compte du Space de ce dossier',
  'is an account in {}, not {}': 'est un compte en {}, pas en {}',
  'must differ from the source account': 'doit être différent du compte à débiter',
  'is in {}; the case is in {}': 'est en {} ; le dossier est en {}',
  'is taken by another account': 'est déjà prise par un autre compte',
  'must stay {}': 'doit rester {}',
  'must be {}, like the first item': 'doit être {}, comme pour le premier article',
  'must be {}, the currency of the payment': 'doit être {}, la devise du paiement',
  'must be {}, as it was paid out': 'doit être {}, la devise du versement',
  "must be {}, like the code's other amounts and its account":
    'doit être {}, comme les autres montants du code et son compte',
  'must be in {}': 'doit être en {}',
  'must be from 1 to {}, what is recalled': 'doit être entre 1 et {}, ce qui est rappelé',
  'must be more than the fee of {}, which the payer bears':
    'doit dépasser les frais de {}, à la charge du payeur',
  'must not total more than {}': 'ne doivent pas dépasser {} au total',
  'comes to more than {} minor units of {}': 'dépasse {} unités mineures de {}',
  'is more than the {} that it owes': 'dépasse les {} dus',
  'This transfer would exceed the maximum balance of an account.':
    'Ce transfert dépasserait le solde maximal d’un compte.',
  'An account would hold more than can be counted.': 'Un compte aurait plus que ce qui peut être compté.',
  'The account has less available than the amount of the case.':
    'Le compte dispose de moins que le montant du dossier.',
  'There is too little money for all of these payouts.':
    'Il n’y a pas assez d’argent pour tous ces versements.',

  // Times.
  'must be in the future': 'doit être dans l’avenir',
  'must be within 366 days': 'doit être dans les 366 jours',
  'must be yet to come, and within a year': 'doit être à venir, dans l’année',
  'must be later than from': 'doit être après le début',
  'must be later than since': 'doit être après le début',
  'must be after from': 'doit être après le début',
  'must not be after to': 'ne doit pas être après la fin',
  'must not be before {}': 'ne doit pas être avant le {}',
  'must be at most {} days after from': 'doit être au plus {} jours après le début',
  'is yet to come': 'est à venir',
  'covers more than {} days; narrow the range': 'couvre plus de {} jours : réduisez la période',
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
  'is no provider of the catalogue': 'n’est pas un opérateur du catalogue',
  'is not a provider': 'n’est pas un opérateur',
  'is not a momo provider': 'n’est pas un opérateur de mobile money',
  'is not a {} provider': 'n’est pas un opérateur de type {}',
  'is not available now': 'n’est pas disponible en ce moment',
  'is not taken by {}: it takes {}': 'n’est pas acceptée par {}, qui accepte {}',
  'is not a field of a {} destination': 'ne fait pas partie d’un compte de type {}',
  'does not support {}': 'n’accepte pas {}',
  'cannot be paid to': 'ne peut pas recevoir de versements',
  'is not a supported country': 'n’est pas un pays pris en charge',
  'leaves no payment method': 'ne laisse aucun moyen de paiement',

  // Forms.
  'is named twice': 'est nommé deux fois',
  'must not be repeated': 'ne doit pas être répété',
  'must be unique within the session': 'doit être unique sur la page',
  'must start with https:// in live': 'doit commencer par https:// en production',
  'is listed twice': 'figure deux fois',
  'must be named once': 'doit être nommé une seule fois',
  'must be unique in the session': 'doit être unique sur la page',
  'must begin with https:// in live': 'doit commencer par https:// en production',
  'must be 1 to {} characters': 'doit avoir de 1 à {} caractères',
  'must have 1 to {} characters': 'doit avoir de 1 à {} caractères',
  'must have 1 to {} characters on one line': 'doit avoir de 1 à {} caractères sur une ligne',
  'must be at most {} characters': 'doit avoir au plus {} caractères',
  'must be 1 to {} plain characters': 'doit avoir de 1 à {} caractères simples',
  'must stand on one line': 'doit tenir sur une ligne',
  'must be at least minimum': 'ne doit pas être inférieur au minimum',
  'must be at least {}, the number of payments completed or in progress':
    'doit être au moins {}, le nombre de paiements réussis ou en cours',
  'must allow at most {} units of each item': 'doit permettre au plus {} unités de chaque article',
  'is required unless lineItems are set': 'est obligatoire en l’absence d’articles',
  'is required unless openAmount is set': 'sont obligatoires en l’absence de montant libre',
  'can only be used with lineItems': 'ne peut être utilisée qu’avec des articles',
  'is for recurrent codes only': 'ne vaut que pour les codes réutilisables',
  'cannot be combined with {}': 'ne peut pas être combiné avec {}',
  'cannot stand beside {}': 'ne peut pas aller avec {}',
  'must be true unless entitlements are set': 'doit être vrai si aucun droit n’est indiqué',
  'cannot be combined with {}': 'ne peut pas être combiné avec {}',
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
  'does not name a payment in this Space': 'ne désigne pas un paiement de ce Space',
  'does not name a completed payment in this Space and environment':
    'ne désigne pas un paiement réussi de ce Space et de cet environnement',
  'does not name a payment link in this Space': 'ne désigne pas un lien de paiement de ce Space',
  'names no payout of this Space and environment':
    'n’est pas un versement de ce Space et de cet environnement',
  'does not name an entitlement of this receipt': 'ne désigne pas un droit de ce reçu',
  'names no open item': 'n’est pas un écart ouvert',
  'names no object here that events are about': 'n’est pas un objet d’ici qui a des événements',
  'has no audit entries in this Space': 'n’a pas d’entrées d’audit dans ce Space',

  // Tokens, team, webhooks, sign-in.
  '"{}" exceeds your permissions in this Space': '« {} » dépasse vos droits dans ce Space',
  '"{}" is not a network such as 10.0.0.0/8': '« {} » n’est pas un réseau tel que 10.0.0.0/8',
  '"{}" is outside your own token’s networks': '« {} » est hors des réseaux de votre propre jeton',
  'is made by us with ED25519': 'est créé par nous avec ED25519',
  'A Space has at most {} webhooks.': 'Un Space a au plus {} webhooks.',
  'The webhook is not enabled.': 'Ce webhook n’est pas actif.',
  'You can have at most {} active access tokens. Revoke one first.':
    'Vous pouvez avoir au plus {} jetons d’accès actifs. Révoquez-en un d’abord.',
  'Only the owner of a token can roll it.': 'Seul le propriétaire d’un jeton peut le renouveler.',
  'This token has more permissions than yours. Roll it with the token itself, or in the console.':
    'Ce jeton a plus de droits que le vôtre. Renouvelez-le avec le jeton lui-même, ou dans la console.',
  'This token has already been rolled. Create a new one.':
    'Ce jeton a déjà été renouvelé. Créez-en un nouveau.',
  'This token is no longer active. Create a new one.': 'Ce jeton n’est plus actif. Créez-en un nouveau.',
  'This token {}. Create a new one.': 'Ce jeton ne peut plus être renouvelé ({}). Créez-en un nouveau.',
  'This token is also valid in other Spaces. Only its owner can revoke it. Remove the member to block it in this Space.':
    'Ce jeton est aussi valable dans d’autres Spaces. Seul son propriétaire peut le révoquer. Retirez le membre pour le bloquer dans ce Space.',
  'This person is already a member.': 'Cette personne est déjà membre.',
  'This person is already invited. Resend the invitation instead.':
    'Cette personne est déjà invitée. Renvoyez plutôt l’invitation.',
  'A Space can have at most {} members, including open invitations.':
    'Un Space peut avoir au plus {} membres, invitations en cours comprises.',
  'A Space can send at most {} invitations per day.':
    'Un Space peut envoyer au plus {} invitations par jour.',
  'No such invitation in this Space.': 'Cette invitation n’existe pas dans ce Space.',
  'This invitation was already accepted.': 'Cette invitation a déjà été acceptée.',
  'This invitation was already withdrawn.': 'Cette invitation a déjà été retirée.',
  'This invitation was already {}.': 'Cette invitation n’est plus valable ({}).',
  'An invitation can be sent at most {} times. Withdraw it and invite again.':
    'Une invitation peut être envoyée {} fois au plus. Retirez-la et invitez de nouveau.',
  'This is the last owner of the Space. Make another member an owner first.':
    'C’est le dernier propriétaire du Space. Nommez d’abord un autre propriétaire.',
  'No such member in this Space.': 'Ce membre n’existe pas dans ce Space.',
  'Only an owner can add, change or remove owners.':
    'Seul un propriétaire peut ajouter, modifier ou retirer des propriétaires.',
  'Members belong to both environments. Change them with a live token or in the console.':
    'Les membres appartiennent aux deux environnements. Modifiez-les avec un jeton de production ou dans la console.',
  'You can have at most {} passkeys. Remove one first.':
    'Vous pouvez avoir au plus {} clés d’accès. Supprimez-en une d’abord.',
  'Passkeys do not work on an IP address. Open the console by its host name.':
    'Les clés d’accès ne fonctionnent pas avec une adresse IP. Ouvrez la console par son nom d’hôte.',
  'You have no passkey with this id.': 'Vous n’avez pas de clé d’accès avec cet identifiant.',
  'You have no session with this id.': 'Vous n’avez pas de session avec cet identifiant.',
  'You have no passkey.': 'Vous n’avez pas de clé d’accès.',
  'The passkey could not be registered. It may be registered already, or the request expired. Try again.':
    'La clé d’accès n’a pas pu être enregistrée. Elle l’est peut-être déjà, ou la demande a expiré. Réessayez.',
  'Too many wrong codes. Wait a while, or use a recovery code or a passkey.':
    'Trop de codes erronés. Patientez, ou utilisez un code de secours ou une clé d’accès.',
  'This code is wrong, already used, or expired.': 'Ce code est erroné, déjà utilisé ou expiré.',
  'This link was requested in another browser, or another user is signed in here. Enter the email address it was sent to.':
    'Ce lien a été demandé dans un autre navigateur, ou un autre utilisateur est connecté ici. Saisissez l’adresse e-mail à laquelle il a été envoyé.',
  'does not match the link': 'ne correspond pas au lien',
  'No authenticator app is set up.': 'Aucune application d’authentification n’est configurée.',
  'You already have an authenticator app. Remove it first.':
    'Vous avez déjà une application d’authentification. Supprimez-la d’abord.',
  'No authenticator app is waiting to be confirmed. Start again.':
    'Aucune application d’authentification n’est à confirmer. Recommencez.',
  'No sign-in is waiting for a code. Request a new link.':
    'Aucune connexion n’attend de code. Demandez un nouveau lien.',
  'The identity provider has not verified your email address.':
    'Le fournisseur d’identité n’a pas vérifié votre adresse e-mail.',
  'No user has your email address. Ask for an invitation.':
    'Aucun utilisateur n’a votre adresse e-mail. Demandez une invitation.',
  'Your email address is linked to another account at the identity provider.':
    'Votre adresse e-mail est liée à un autre compte chez le fournisseur d’identité.',
  'Single sign-on failed. Try again, or sign in another way.':
    'L’authentification unique a échoué. Réessayez, ou connectez-vous autrement.',
  'Single sign-on is not working. Contact the operator, or sign in another way.':
    'L’authentification unique ne fonctionne pas. Contactez l’exploitant, ou connectez-vous autrement.',
  'The identity provider did not confirm that you just signed in there. Try again.':
    'Le fournisseur d’identité n’a pas confirmé que vous venez de vous y connecter. Réessayez.',
  'This installation has no identity provider. Sign in another way.':
    'Cette installation n’a pas de fournisseur d’identité. Connectez-vous autrement.',
  'This needs a console session. API tokens cannot call it.':
    'Cette action demande une session de la console. Les jetons d’API n’y ont pas accès.',
  'This Space is suspended. Contact the operator of this service.':
    'Ce Space est suspendu. Contactez l’exploitant de ce service.',

  // What was decided, or ended.
  'Another payment is already in progress.': 'Un autre paiement est déjà en cours.',
  'This payout needs no approval.': 'Ce versement ne demande pas d’approbation.',
  'This batch needs no approval.': 'Ce lot ne demande pas d’approbation.',
  'This refund does not need approval.': 'Ce remboursement ne nécessite pas d’approbation.',
  'A payout is approved or rejected by another user than the one who asked for it.':
    'Un versement est approuvé ou refusé par une autre personne que celle qui l’a demandé.',
  'A batch is approved or rejected by another user than the one who created it.':
    'Un lot est approuvé ou refusé par une autre personne que celle qui l’a créé.',
  'A refund must be approved or rejected by a different user than its creator.':
    'Un remboursement doit être approuvé ou refusé par une autre personne que celle qui l’a créé.',
  'Another refund of this payment, reported as failed, reached the payer after all. Approving this refund would exceed the payment; reject it.':
    'Un autre remboursement de ce paiement, d’abord en échec, a finalement abouti. Approuver celui-ci dépasserait le montant du paiement : refusez-le.',
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
  'The provider reports that this payment never arrived. Its case decides about the money.':
    'Ce paiement a été marqué comme réussi à la main, mais son opérateur indique que l’argent n’est jamais arrivé : il ne peut pas être remboursé.',
  'The link belongs to another email address.': 'Ce lien est destiné à une autre adresse e-mail.',
  '{} Reject this refund.': 'L’argent de ce paiement n’est jamais arrivé. Rejetez ce remboursement.',
  'This link was sent to another email address.': 'Ce lien a été envoyé à une autre adresse e-mail.',
  'There is no such open item.': 'Cet écart n’existe pas.',
  'This item was closed at {} by {}: {}': 'Cet écart a été clos le {} par {} : {}',
  'No statement covers the time of this item yet: import one first.':
    'Aucun relevé ne couvre encore la date de cet écart : importez-en un d’abord.',
  'Another import or reconciliation is under way; try again.':
    'Un autre import ou rapprochement est en cours : réessayez.',
  'There is no such Space.': 'Ce Space n’existe pas.',
  'This country is not supported.': 'Ce pays n’est pas pris en charge.',
  'There is no connection {} in {}.': 'La connexion {} n’existe pas en {}.',
  'There is no such {}, or it was not sent yet.':
    'Cet objet ({}) n’existe pas, ou n’a pas encore été envoyé.',
  'There is no such {}.': 'Cet objet ({}) n’existe pas.',
  'The connection is already paused.': 'La connexion est déjà en pause.',
  'The connection is not paused.': 'La connexion n’est pas en pause.',
  'The protocol of this connection has nothing harmless to ask.':
    'Le protocole de cette connexion ne permet aucun essai sans effet.',
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

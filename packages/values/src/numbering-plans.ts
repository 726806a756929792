/**
 * Lists which network issued a mobile number, by prefix, and whether numbers can be ported, as of 23 November
 * 2026.
 *
 * Sources: The prefixes are from the carrier data in Google's libphonenumber of July 2026, reduced for Sierra
 * Leone to those that the regulator and the networks name. The codes are from ITU-T E.212. Portability is from
 * the regulators' announcements, cited for each country. `none` is used only if neither the regulator's plan
 * nor libphonenumber's list of regions with number portability mentions the country. `unknown` is treated as
 * portable.
 */
export const numberingPlans: readonly NumberingPlan[] = [
  plan('BF', '226', 'unknown', [
    network('Orange', '61302', '04 05 06 07 4 54 55 56 57 64 65 66 67 74 75 76 77'),
    network('Moov', '61301', '01 02 03 50 51 52 53 60 61 62 63 70 71 72 73'),
    network('Telecel', '61303', '58 68 69 78 79'),
  ]),
  // ARCEP Bénin: free for subscribers since July 2019 at the latest.
  plan('BJ', '229', 'live', [
    network('MTN', '61603', '0142 0146 015 0161 0162 0166 0167 0169 0190 0191 0196 0197'),
    network('Moov', '61602', '0145 0155 0158 0160 0163 0164 0165 0168 0194 0195 0198 0199'),
    network('Celtiis', '61601 61607', '0128 014 0192 0193'),
  ]),
  plan('CD', '243', 'unknown', [
    network('Orange', '63086 63089', '80 84 85 89'),
    network('Vodacom', '63001', '81 82 83 86'),
    network('Africell', '63090', '90 91'),
    network('Airtel', '63002', '96 97 98 99'),
  ]),
  plan('CG', '242', 'unknown', [network('MTN', '62910', '06'), network('Airtel', '62901', '05')]),
  // ARTCI: since 3 September 2018.
  plan('CI', '225', 'live', [
    network('Orange', '61203', '07'),
    network('MTN', '61205', '05'),
    network('Moov', '61202', '01'),
  ]),
  // ART: since 1 September 2017.
  plan('CM', '237', 'live', [
    network('MTN', '62401', '650 651 652 653 654 67 680 681 682 683'),
    network('Orange', '62402', '640 655 656 657 658 659 686 687 688 689 69'),
    network('Nexttel', '62404', '66 684 685'),
    network('Camtel', '', '62'),
  ]),
  plan('GA', '241', 'unknown', [
    network('Airtel', '62803', '04 07 4 7'),
    network('Moov', '62801 62802', '05 06 20 21 22 23 24 25 26 27 3 5 6 65'),
  ]),
  // NCA: since 7 July 2011.
  plan('GH', '233', 'live', [
    network('MTN', '62001', '24 25 53 54 55 59'),
    network('Telecel', '62002', '20 50'),
    network('AT', '62003 62006', '26 27 56 57'),
  ]),
  plan('GM', '220', 'unknown', [
    network('Africell', '60702', '2 40 41 45 7'),
    network('QCell', '60704', '3 50 51 52 53 54 58 59'),
    network('Gamcel', '60701', '9'),
    network('Comium', '60703', '6 84 85 86 87'),
  ]),
  // Communications Authority: since 1 April 2011.
  plan('KE', '254', 'live', [
    network('Safaricom', '63902', '11 14 18 70 71 72 740 741 742 743 745 746 748 757 758 759 768 769 79'),
    network('Airtel', '63903', '10 73 75 761 762 78'),
    network('Telkom', '63907', '120 77'),
  ]),
  plan('LS', '266', 'unknown', [network('Vodacom', '65101', '5'), network('Econet', '65102', '6')]),
  plan('MW', '265', 'unknown', [network('TNM', '65001', '3 8'), network('Airtel', '65010', '9')]),
  plan('MZ', '258', 'unknown', [
    network('Vodacom', '64304', '84 85'),
    network('Movitel', '64303', '86 87 88'),
    network('Tmcel', '64301', '82 83'),
  ]),
  // NCC: since April 2013.
  plan('NG', '234', 'live', [
    network('MTN', '62130', '7025 7026 703 704 706 707 803 806 810 813 814 816 903 906 913 916'),
    network('Airtel', '62120', '701 708 802 808 812 901 902 904 907 911 912'),
    network('Glo', '62150', '705 805 807 811 815 905 915'),
    network('T2', '62160', '809 817 818 908 909'),
  ]),
  plan('RW', '250', 'unknown', [network('MTN', '63510', '78 79'), network('Airtel', '63513 63514', '72 73')]),
  // NatCA: none announced; Orange, Africell and QCell are the networks for which it had registered numbers by
  // 2025.
  plan('SL', '232', 'none', [
    network('Orange', '61901', '76 72 73 74 75 78 79'),
    network('Africell', '61903 61905', '30 33 77 80 88 90 99'),
    network('QCell', '61907', '31 32 34 35'),
    network('Sierratel', '61906', '25'),
  ]),
  // ARTP: since 1 September 2015.
  plan('SN', '221', 'live', [
    network('Orange', '60801', '71 77 78'),
    network('Yas', '60802', '76'),
    network('Expresso', '60803', '70'),
  ]),
  // TCRA: since 1 March 2017.
  plan('TZ', '255', 'live', [
    network('Yas', '64002', '65 67 70 71 77'),
    network('Vodacom', '64004', '74 75 76 79'),
    network('Airtel', '64005', '66 68 69 78'),
    network('Halotel', '64009', '61 62 63'),
    network('TTCL', '64007', '73'),
  ]),
  plan('UG', '256', 'unknown', [
    network('MTN', '64110', '76 77 78 790 791 792 793 794'),
    network('Airtel', '64101 64122', '70 74 75'),
    network('UTel', '64111', '71'),
  ]),
  plan('ZM', '260', 'unknown', [
    network('MTN', '64502', '56 76 96'),
    network('Airtel', '64501', '57 77 97'),
    network('Zamtel', '64503', '55 75 95'),
  ]),
]

export type NumberingPlan = {
  country: string
  /** Whether subscribers can keep their number when they change networks. */
  portability: 'none' | 'live' | 'unknown'
  networks: readonly Network[]
}

export type Network = {
  /** Common name, such as `Africell`. */
  name: string
  /** Mobile country code and mobile network code, without a separator. Empty if unknown. */
  codes: readonly string[]
  /** Prefixes of the network's numbers, in E.164 with `+`. Examples begin with the first one. */
  prefixes: readonly string[]
}

type NationalNetwork = { name: string; codes: string[]; national: string[] }

function plan(
  country: string,
  callingCode: string,
  portability: NumberingPlan['portability'],
  networks: NationalNetwork[],
): NumberingPlan {
  return {
    country,
    portability,
    networks: networks.map(({ name, codes, national }) => ({
      name,
      codes,
      prefixes: national.map((digits) => `+${callingCode}${digits}`),
    })),
  }
}

function network(name: string, codes: string, national: string): NationalNetwork {
  return { name, codes: codes.split(' ').filter(Boolean), national: national.split(' ') }
}

/** How to reach the providers and care coordinators of the rosters, with the gaps that real lists have. All of them are invented. */
import { PROVIDER_NAMES } from './names.ts';

interface ProviderContact {
  title: string;
  type: string;
  phone: string;
  fax: string;
  email: string;
  direct: string;
}

const TITLES = ['MD', 'DO', 'NP', 'MD', 'PA-C', 'MD', 'DO', ''] as const;
const TYPES = [
  'Primary care',
  'Primary care',
  'Geriatrics',
  'Cardiology',
  '',
  'Primary care',
  'Nephrology',
  'Primary care',
];

/** In the order of `PROVIDER_NAMES`. */
export const PROVIDER_CONTACTS: readonly ProviderContact[] = PROVIDER_NAMES.map(([given, family], index) => {
  const name = `${given}.${family}`.toLowerCase();
  return {
    title: TITLES[index] ?? '',
    type: TYPES[index] ?? '',
    phone: index === 4 ? '' : `906-555-02${10 + index}`,
    fax: index % 3 === 2 ? '' : `906-555-02${30 + index}`,
    email: index % 2 === 0 ? `${name}@practice.example` : '',
    direct: index % 4 === 1 ? `${name}@direct.practice.example` : '',
  };
});

interface CoordinatorContact {
  title: string;
  phone: string;
  fax: string;
  email: string;
  events: string;
}

const CONTACTS: Readonly<Record<string, CoordinatorContact>> = {
  'Rosa Lindgren': {
    title: 'RN',
    phone: '906-555-0141',
    fax: '906-555-0140',
    email: 'rosa.lindgren@lakeshore.example',
    events: 'Admissions and discharges',
  },
  'Imani Ferris': { title: 'LMSW', phone: '906-555-0142', fax: '', email: '', events: 'Discharges' },
  'Desmond Achterberg': {
    title: 'RN, CCM',
    phone: '906-555-0143',
    fax: '',
    email: 'desmond.achterberg@lakeshore.example',
    events: '',
  },
  'Ansel Okoro': {
    title: '',
    phone: '517-555-0144',
    fax: '517-555-0145',
    email: 'ansel.okoro@northernpines.example',
    events: 'All',
  },
  'Farah Lyle': { title: 'RN', phone: '517-555-0146', fax: '', email: '', events: 'Admissions' },
  'Siobhan Ames': { title: 'CHW', phone: '', fax: '', email: '', events: '' },
  'Marisol Dean': {
    title: '',
    phone: '715-555-0147',
    fax: '715-555-0148',
    email: 'marisol.dean@stbrendan.example',
    events: 'Discharges',
  },
};

/** The coordinators of each list: people of its organization. */
export const COORDINATORS = {
  'lakeshore-aco': ['Rosa Lindgren', 'Imani Ferris', 'Desmond Achterberg'],
  'pines-plan': ['Ansel Okoro', 'Farah Lyle'],
  harborview: ['Siobhan Ames', 'Marisol Dean'],
} as const;

/** Returns the cells of the columns of care coordinators: names, then titles, phones, faxes, emails and event types in their order. */
export function coordinatorCells(names: readonly string[]): string[] {
  const cell = (column: keyof CoordinatorContact) => names.map((name) => CONTACTS[name]?.[column] ?? '').join(';');
  return [names.join(';'), cell('title'), cell('phone'), cell('fax'), cell('email'), cell('events')];
}

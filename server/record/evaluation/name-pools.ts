import { familyNameTable, givenNameTable } from '#server/platform/name-frequencies/name-tables.ts';
import { hashOf, type Random, Weighted } from './random.ts';

export type Sex = 'Male' | 'Female';

/** Given and family names that occur together. The first names of a list are the most frequent ones. */
export interface Culture {
  /** Share of the families of a world, roughly a US metropolitan area's. */
  share: number;
  given: Record<Sex, readonly string[]>;
  family: readonly string[];
  /** Share of the people with one of these names. The others have names from the tables of the whole country. */
  coverage: Record<'given' | 'family', number>;
  /** Two family names, the father's and the mother's. */
  hasDoubleNames?: boolean;
  /** A wife keeps her name. */
  keepsNames?: boolean;
  /** Share of adults whose birthday is unknown and recorded as January 1. */
  unknownBirthdays?: number;
}

const names = (text: string): readonly string[] => text.trim().split(/,\s*/);

const ARABIC_GIVEN = {
  Male: names(
    'MOHAMED, AHMED, ALI, MOHAMMED, HASSAN, OMAR, HUSSEIN, ABDULLAH, IBRAHIM, YUSUF, KHALID, MUSTAFA, REZA, MAHMOUD, TARIQ, HAMID, ABDUL RAHMAN',
  ),
  Female: names(
    'FATIMA, MARYAM, AISHA, ZAINAB, AMINA, KHADIJA, LAYLA, NOOR, HUDA, SARA, LEILA, SAMIRA, YASMIN, HALIMA, RANIA, SHIRIN',
  ),
};

export const CULTURES: readonly Culture[] = [
  {
    share: 0.13,
    coverage: { given: 0.6, family: 0.4 },
    hasDoubleNames: true,
    keepsNames: true,
    given: {
      Male: names(
        'JOSE, JUAN, LUIS, CARLOS, JESUS, MIGUEL, ANGEL, JORGE, ANTONIO, FRANCISCO, MANUEL, DIEGO, ALEJANDRO, PEDRO, RAFAEL, JOSE LUIS, JUAN CARLOS',
      ),
      Female: names(
        'MARIA, GUADALUPE, ANA, ROSA, CARMEN, SOFIA, ISABEL, LETICIA, GABRIELA, MARTHA, ELENA, MARIA ELENA, ANA MARIA, LUZ, DANIELA, VALERIA, MARIA GUADALUPE',
      ),
    },
    family: names(
      'GARCIA, RODRIGUEZ, HERNANDEZ, MARTINEZ, LOPEZ, GONZALEZ, PEREZ, SANCHEZ, RAMIREZ, TORRES, FLORES, RIVERA, GOMEZ, DIAZ, CRUZ, REYES, MORALES, GUTIERREZ, ORTIZ, RAMOS, DE LA CRUZ, DE LEON, CASTILLO, MENDOZA, VAZQUEZ, ROMERO, SOTO, DEL RIO',
    ),
  },
  {
    share: 0.025,
    coverage: { given: 0.7, family: 0.85 },
    keepsNames: true,
    given: {
      Male: names('MINH, VAN, DUC, HUNG, TUAN, THANH, HOANG, QUANG, DUNG, HAI, LONG, NAM, VAN MINH, SON, PHUC'),
      Female: names('THI, LAN, HOA, LINH, THI LAN, NGOC, HUONG, MAI, THU, TRANG, THI HOA, KIM, ANH, HANH, PHUONG'),
    },
    family: names('NGUYEN, TRAN, LE, PHAM, HUYNH, HOANG, PHAN, VU, VO, DANG, BUI, DO, HO, NGO, DUONG, LY'),
  },
  {
    share: 0.02,
    coverage: { given: 0.6, family: 0.3 },
    unknownBirthdays: 0.2,
    given: ARABIC_GIVEN,
    family: names(
      'ALIZADEH, HASSAN, AHMED, KHAN, HUSSEIN, AHMADI, AL MASRI, RAHIMI, KARIMI, HADDAD, ALI, EL SAYED, NAJAFI, ABU SALEH, BIN SALEH, HOSSEINI, SALEH, QASEMI',
    ),
  },
  {
    share: 0.012,
    coverage: { given: 0.8, family: 0.75 },
    keepsNames: true,
    unknownBirthdays: 0.45,
    given: ARABIC_GIVEN,
    family: names('MOHAMED, ALI, HASSAN, ABDI, AHMED, OMAR, WARSAME, FARAH, HUSSEIN, IBRAHIM, NUR, ADAN, OSMAN, YUSUF'),
  },
  {
    share: 0.025,
    coverage: { given: 0.4, family: 0.55 },
    keepsNames: true,
    given: {
      Male: names('WEI, JUN, MING, LEI, HAO, JIAN, YONG, BIN, TAO, CHENG, KEVIN, JASON, XIAO MING, ZHI'),
      Female: names('LI, YAN, MEI, JING, XIA, FANG, HONG, YING, LING, HUI, AMY, GRACE, XIAO MEI, QING'),
    },
    family: names('WANG, LI, ZHANG, CHEN, LIU, YANG, HUANG, ZHAO, WU, ZHOU, LIN, XU, SUN, MA, LEE, WONG, CHAN'),
  },
  {
    share: 0.02,
    coverage: { given: 0.4, family: 0.3 },
    given: {
      Male: names('RAJ, AMIT, SANJAY, VIJAY, RAHUL, GURPREET, HARPREET, RAVI, KIRAN, ANIL, MANPREET, SURESH, ARJUN'),
      Female: names('PRIYA, ANITA, SUNITA, KIRAN, GURPREET, HARPREET, DEEPA, KAVITA, NEHA, MANPREET, POOJA, ANJALI'),
    },
    family: names('PATEL, SINGH, SHAH, KAUR, KUMAR, SHARMA, GUPTA, DESAI, MEHTA, REDDY, RAO, JOSHI, GILL, DHILLON'),
  },
  {
    share: 0.008,
    coverage: { given: 0.4, family: 0.65 },
    keepsNames: true,
    given: {
      Male: names('MIN JUN, JI HOON, SUNG, YOUNG, JIN, DAVID, DANIEL, JOON HO, SEUNG, DONG HYUN'),
      Female: names('JI YEON, SOO JIN, EUN JI, MIN JI, YOUNG, HYE JIN, GRACE, EUNICE, JI WOO, SUN HEE'),
    },
    family: names('KIM, LEE, PARK, CHOI, JUNG, KANG, CHO, YOON, JANG, LIM, HAN, SHIN'),
  },
];

/** Spellings of one name on different documents of one person. */
const SPELLINGS = [
  'MOHAMED, MOHAMMED, MUHAMMAD, MOHAMMAD',
  'HUSSEIN, HUSSAIN, HOSSEIN',
  'YUSUF, YOUSEF, JOSEPH',
  'FATIMA, FATMA, FATEMEH',
  'AISHA, AYSHA, AICHA',
  'CATHERINE, KATHERINE, KATHRYN',
  'SARA, SARAH',
  'STEVEN, STEPHEN',
  'ERIC, ERIK',
  'BRIAN, BRYAN',
  'ANN, ANNE',
  'PHILIP, PHILLIP',
  'GONZALEZ, GONZALES',
  'VAZQUEZ, VASQUEZ',
].map(names);
const spellings = new Map(SPELLINGS.flatMap((all) => all.map((name) => [name, all.filter((each) => each !== name)])));

/** Returns other spellings of a name; most names have none. */
export const otherSpellings = (name: string): readonly string[] => spellings.get(name) ?? [];

const family = new Weighted(familyNameTable());
/** The table has no sex: each name gets one by its hash, and so the same one always. */
const sexOf = (name: string): Sex => (hashOf(name) % 2 === 0 ? 'Male' : 'Female');
const given: Record<Sex, Weighted<string>> = {
  Male: new Weighted([...givenNameTable()].filter(([name]) => sexOf(name) === 'Male')),
  Female: new Weighted([...givenNameTable()].filter(([name]) => sexOf(name) === 'Female')),
};

/** Returns the culture of a family, or null for names from the tables of the whole country. */
export function drawCulture(random: Random): Culture | null {
  let left = random.next();
  for (const culture of CULTURES) {
    left -= culture.share;
    if (left < 0) return culture;
  }
  return null;
}

/** Returns a given name. Names come and go: each has a birth year around which it is more frequent. */
export function drawGivenName(random: Random, culture: Culture | null, sex: Sex, birthYear: number): string {
  if (culture !== null && random.chance(culture.coverage.given)) return random.pickRanked(culture.given[sex]);
  for (let attempt = 0; ; attempt++) {
    const name = given[sex].draw(random);
    const distance = Math.abs(1935 + ((hashOf(name) >>> 4) % 90) - birthYear);
    if (attempt === 4 || distance < 20 || random.chance(0.35)) return name;
  }
}

export function drawFamilyName(random: Random, culture: Culture | null): string {
  if (culture === null || !random.chance(culture.coverage.family)) return family.draw(random);
  const name = random.pickRanked(culture.family);
  return culture.hasDoubleNames === true && random.chance(0.45) ? `${name} ${random.pickRanked(culture.family)}` : name;
}

import { expect, test } from 'vitest';
import { isGarbled } from './garbled.ts';

/** The upper halves of code page 437 and Mac OS Roman, as far as names need them: which byte is which letter. */
const CP437 = { Ç: 0x80, ü: 0x81, é: 0x82, â: 0x83, ä: 0x84, à: 0x85, ç: 0x87, ê: 0x88, ë: 0x89, è: 0x8a, ï: 0x8b };
const MORE_OF_CP437 = { Ä: 0x8e, É: 0x90, ô: 0x93, ö: 0x94, á: 0xa0, í: 0xa1, ó: 0xa2, ú: 0xa3, ñ: 0xa4, Ñ: 0xa5 };
const MAC_ROMAN = { É: 0x83, Ñ: 0x84, Ö: 0x85, Ü: 0x86, á: 0x87, à: 0x88, â: 0x89, ç: 0x8d, é: 0x8e, è: 0x8f, ê: 0x90 };
const MORE_OF_MAC_ROMAN = { ñ: 0x96, ó: 0x97, ô: 0x99, ü: 0x9f, ß: 0xa7, ø: 0xbf };

const windows1252 = new TextDecoder('windows-1252');
/** Writes a name in an encoding, and reads it as Windows-1252. */
const misread = (name: string, bytes: Record<string, number>): string =>
  windows1252.decode(Uint8Array.from([...name], (letter) => bytes[letter] ?? letter.charCodeAt(0)));

test.each(['Renée', 'Nuñez-Quillen', 'NUÑEZ', 'Müllenbrook', 'Björkvall', 'Hélène', 'Françoise', 'ÉMILE', 'Rodríguez'])(
  '%s in code page 437 is noticed',
  (name) => {
    expect(isGarbled(misread(name, { ...CP437, ...MORE_OF_CP437 }), true)).toBe(true);
  },
);

test.each([
  'Renée',
  'Núñez-Quillen',
  'NUÑEZ',
  'López',
  'Pérez',
  'José',
  'Hernández',
  'Müllenbrook',
  'Jérôme',
  'Hélène',
  'Françoise',
  'Søren',
  'Weiß',
])('%s in Mac OS Roman is noticed', (name) => {
  expect(isGarbled(misread(name, { ...MAC_ROMAN, ...MORE_OF_MAC_ROMAN, ú: 0x9c }), true)).toBe(true);
});

const NAMES =
  `Renée|Nuñez-Quillen|NUÑEZ|RENÉE|Müllenbrook|Weiß|Łukasz|Erdős|KŐSZEGI|Ångström|Søren|Dvořák|Tomáš|TOMÁŠ|Beneš|KŘÍŽ|Şahin|Çelik
Þórdís|Ñusta|Œdipa|Lecœur|Nguyễn Thị Ánh|Ân|O'Shea|O’Shea|O‘Shea|Ka‘ahumanu|Kahoʻolawe|D'Angelo|De’andre|'t Hooft|Mª del Pilar|Gal·la
Quillen–Voss|QUILLEN–VOSS|smith–jones|Robert “Bob”|„Bo“ Lind|MUñOZ|DŽemal|Džemal|JOÃO|CONCEIÇÃO|Voß’s|X Æ A-12|Maynard46|Smith, Jr.|Ama & Yaw
陽子|Иван|محمد|Λουκάς|Jean-Luc|JEAN-LUC|Smith?|St. John\`s`.split(/[|\n]/);

test.each(NAMES)('the name %s is as it should be', (name) => {
  expect(isGarbled(name, true)).toBe(false);
});

test.each(NAMES)('%s in Windows-1252, as far as that has its letters, is as it should be', (name) => {
  const latin1 = Buffer.from(name, 'latin1');
  if (latin1.toString('latin1') === name) expect(isGarbled(windows1252.decode(latin1), true)).toBe(false);
});

test.each(['Renée', 'Nuñez', 'ÖZDEN', 'Łukasz', 'Erdős', 'O’Shea', 'Nguyễn', 'José', 'Voilà', 'Ma\ufffdria'])(
  '%s encoded as UTF-8 twice is noticed in any column',
  (name) => {
    expect(isGarbled(windows1252.decode(Buffer.from(name)), false)).toBe(true);
  },
);

test.each(['Ren\ufffde', 'M\u0081ller', 'Ren√©e', 'Ren├⌐e', 'Nu?ez', 'NU?EZ', '\uf8ffmile'])(
  '%j is noticed',
  (text) => {
    expect(isGarbled(text, true)).toBe(true);
  },
);

test.each([
  '12½ Heron Lane',
  'Café • Deli',
  'BlueCare™ Gold+',
  '5–7 Main St',
  'Who?',
  'Rue de l’Église',
  'N° 4',
  'A/C §8',
])('%s is no name, and as it should be', (text) => {
  expect(isGarbled(text, false)).toBe(false);
});

import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { activeContentOf } from './pdf-content.ts';

const pdf = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(['%PDF-1.7\n', ...parts, '\n%%EOF'].map((part) => Buffer.from(part)));
const object = (body: string): string => `1 0 obj\n${body}\nendobj\n`;
const stream = (dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`2 0 obj\n<<${dictionary}>>\nstream\r\n`), content, Buffer.from('\nendstream\nendobj\n')]);
const objects = (body: string): Buffer => deflateSync(`7 0 ${body}`);

test.each([
  ['a script', object('<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>')],
  ['a script with an escaped name', object('<</OpenAction<</S /J#61va#53cript /JS (x)>>>>')],
  ['a program', object('<</S/Launch/F(cmd.exe)>>')],
  ['a file elsewhere', object('<</Type/Catalog/OpenAction<</S/GoToR/F(\\\\host\\share\\a.pdf)/D[0/Fit]>>>>')],
  ['a form that is sent elsewhere', object('<</A<</S/SubmitForm/F<</FS/URL/F(https://elsewhere.example)>>>>>>')],
  ['an address that opening calls up', object('<</Type/Catalog/OpenAction<</URI(https://elsewhere.example)/S/URI>>>>')],
  [
    'an address that turning a page calls up',
    object('<</Type/Page/AA<</O<</S /URI/URI(https://elsewhere.example)>>>>>>'),
  ],
  ['an attached file', object('<</Type/EmbeddedFile>>')],
  ['attached files', object('<</Names<</EmbeddedFiles 4 0 R>>>>')],
  ['a form with scripts', object('<</AcroForm<</XFA[(a) 3 0 R]>>>>')],
  ['a compressed script', stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', objects('<</S/JavaScript/JS(x)>>'))],
  ['a compressed script that is not named as objects', stream('/Filter/Fl#61teDecode', objects('<</S/JavaScript>>'))],
  ['a script within what looks like a stream', `stream\nx ${object('<</S/JavaScript>>')}endstream`],
])('%s is found', (_, body) => {
  expect(activeContentOf(pdf(body))).toBe('active');
});

test.each([
  ['encrypted', Buffer.from('8f3k2;x0f!')],
  ['encoded in another way', Buffer.from('2f4a617661536372697074>')],
  ['larger than is looked at', deflateSync(`7 0 ${' '.repeat(70 * 1024 * 1024)}`)],
])('objects that are %s cannot be checked', (_, content) => {
  expect(activeContentOf(pdf(stream('/Type/ObjStm/N 1/First 4', content)))).toBe('unreadable');
});

test('pages, links, a first page to open, pictures and plain objects are accepted', () => {
  const picture = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 197) % 256));
  const file = pdf(
    object('<</Type/Catalog/OpenAction[3 0 R/Fit]/Title(Launch of the JavaScript course)>>'),
    object('<</S/URI/URI(https://clinic.example)>>'),
    object('<</Font/LaunchSans>>'),
    stream('/Type/XObject/Subtype/Image/Filter/DCTDecode', picture),
    stream('/Filter/FlateDecode', deflateSync('1 0 0 1 72 720 cm BT (Fill in) Tj ET')),
    stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', objects('<</Type/Page>>')),
  );
  expect(activeContentOf(file)).toBeNull();
});

import { expect, test } from 'vitest';
import { asAttachment, nameOfForm, typeOfBytes } from './form-file.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test('a file’s type is that of its first bytes', () => {
  expect(typeOfBytes(bytes('%PDF-1.4'))).toBe('application/pdf');
  expect(typeOfBytes(bytes('\x89PNG\r\n\x1a\n'))).toBe('image/png');
  expect(typeOfBytes(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
  for (const other of ['', '%PDF', ' %PDF-1.4', 'GIF89a', 'PK\x03\x04', '<svg', 'MZ'])
    expect(typeOfBytes(bytes(other))).toBeNull();
});

test.each([
  ['Intake.pdf', 'Intake.pdf'],
  ['INTAKE.PDF', 'INTAKE.pdf'],
  ['intake.exe', 'intake.exe.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\forms\\intake.pdf', 'intake.pdf'],
  ['in\u202etake\r\n".pdf', 'intake.pdf'],
  ['.pdf', 'form.pdf'],
  ['', 'form.pdf'],
  ['x'.repeat(300), `${'x'.repeat(120)}.pdf`],
])('the name %j becomes %j', (given, name) => {
  expect(nameOfForm(given, 'application/pdf')).toBe(name);
});

test('a JPEG may end with either of its two ends', () => {
  expect(nameOfForm('scan.jpeg', 'image/jpeg')).toBe('scan.jpeg');
  expect(nameOfForm('scan.png', 'image/jpeg')).toBe('scan.png.jpg');
});

test('a header holds any name, and no quote ends it', () => {
  expect(asAttachment("Ada's 50%\u2019.pdf")).toBe(
    `attachment; filename="Ada's 50__.pdf"; filename*=UTF-8''Ada%27s%2050%25%E2%80%99.pdf`,
  );
});

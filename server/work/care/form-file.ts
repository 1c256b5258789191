/** What a form may be: its type by its first bytes, whatever its name or sender says. Pure. */
import type { FormType } from '#contract/care-limits.ts';

/** The first bytes of each type, and the ends of names that it may have; the first is added to other names. */
const TYPES: Record<FormType, { start: readonly number[]; ends: readonly [string, ...string[]] }> = {
  // ISO 32000-2, 7.5.2. Readers accept a header later in the file; a file that begins as something else is refused.
  'application/pdf': { start: [0x25, 0x50, 0x44, 0x46, 0x2d], ends: ['.pdf'] },
  // PNG (ISO/IEC 15948), 5.2.
  'image/png': { start: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], ends: ['.png'] },
  // JPEG (ISO/IEC 10918-1), B.1.1.3: start of image, and another marker.
  'image/jpeg': { start: [0xff, 0xd8, 0xff], ends: ['.jpg', '.jpeg'] },
};

/** Returns the type of a file by its first bytes; null for any that is not accepted. */
export function typeOfBytes(bytes: Uint8Array): FormType | null {
  const found = Object.entries(TYPES).find(([, { start }]) => start.every((byte, at) => bytes[at] === byte));
  return found ? (found[0] as FormType) : null;
}

/** Characters. */
const LONGEST_NAME = 120;

/**
 * Returns a name to store and download the file under: without folders and control characters, and with an end that fits its type, so that
 * 'form.exe' with the bytes of a PDF is saved as 'form.exe.pdf'.
 */
export function nameOfForm(given: string, type: FormType): string {
  const { ends } = TYPES[type];
  const base = (given.split(/[\\/]/).at(-1) ?? '').replace(/[\p{C}\p{Zl}\p{Zp}"]/gu, '').trim();
  const end = ends.find((each) => base.toLowerCase().endsWith(each));
  const stem = end === undefined ? base : base.slice(0, -end.length);
  return `${[...(stem || 'form')].slice(0, LONGEST_NAME).join('')}${end ?? ends[0]}`;
}

/** Returns the header that makes a browser save the file under its name (RFC 6266). */
export function asAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|[%\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

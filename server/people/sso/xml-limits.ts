/** Limits on XML from outside, checked in one pass before a parser sees it. */

/** A form post of 256 KiB holds no more than this, in base64. */
export const MOST_CHARACTERS = 192 * 1024;
/** Each with an opening and a closing tag. A response with hundreds of group memberships has some hundred more than the usual thirty. */
export const MOST_ELEMENTS = 1500;
/** An assertion in a response is about eight elements deep. */
export const MOST_DEPTH = 24;
/** Of one element. */
export const MOST_ATTRIBUTES = 24;
/** Different prefixes: each value of an attribute may declare the same two again. */
export const MOST_PREFIXES = 24;

const TAG = /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const VALUE = /"[^"]*"|'[^']*'/g;
/** Anything but the five entities of XML itself and character references could only be declared in a document type. */
const UNKNOWN_ENTITY = /&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;
/** What a parser reads up to a fixed end, whatever is inside. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * Returns whether XML is within the limits above, and is plain: every `<` begins a comment, CDATA, an instruction, or a
 * tag that is well-formed and closed, so that every parser sees the same tags and a count cannot be tricked. A document type and its entities are refused. Parsers, and the
 * canonicalization of signatures, take more than linear time in depth, attributes and prefixes: 30,000 nested elements in 90 KB took minutes.
 */
export function isWithinXmlLimits(xml: string): boolean {
  if (xml.length > MOST_CHARACTERS || UNKNOWN_ENTITY.test(xml)) return false;
  const prefixes = new Set<string>();
  const open: string[] = [];
  let pieces = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    pieces += 1;
    if (pieces > 2 * MOST_ELEMENTS) return false;
    const skipped = SKIPPED.find(([opens]) => xml.startsWith(opens, at));
    if (skipped) {
      const end = xml.indexOf(skipped[1], at + skipped[0].length);
      if (end < 0) return false;
      at = end + skipped[1].length;
      continue;
    }
    TAG.lastIndex = at;
    const [, closes, name = '', attributes = '', closesItself] = TAG.exec(xml) ?? [];
    if (name === '') return false;
    at = TAG.lastIndex;
    if (closes) {
      if (open.pop() !== name) return false;
      continue;
    }
    if (!closesItself) open.push(name);
    if (open.length > MOST_DEPTH || !hasFewAttributes(attributes, prefixes)) return false;
  }
  return open.length === 0;
}

/** Adds the prefixes that the attributes of a well-formed tag declare to `prefixes`. */
function hasFewAttributes(text: string, prefixes: Set<string>): boolean {
  // Without the values, what precedes each equals sign is a name.
  const names = text.replace(VALUE, '').split('=').slice(0, -1);
  for (const name of names) if (name.trim().startsWith('xmlns')) prefixes.add(name.trim());
  return names.length <= MOST_ATTRIBUTES && prefixes.size <= MOST_PREFIXES;
}

/** A limit on XML from outside, checked in one pass before a parser sees it. */

/** A response with hundreds of group memberships has some hundred elements more than the usual thirty. */
export const MOST_ELEMENTS = 1500;

/**
 * Returns whether XML has at most `MOST_ELEMENTS` elements, and so no deeper nesting either. Parsers and the canonicalization of
 * signatures take more than linear time in the depth: 30,000 nested elements in 90 KB took minutes. Every `<` that could open an element
 * counts, also inside comments, CDATA and attributes: what is markup and what is text is for the parser to know, and a count that
 * tried to know it could be tricked.
 */
export function isWithinXmlLimits(xml: string): boolean {
  let elements = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) {
    if (xml[at + 1] !== '/') elements += 1;
    if (elements > MOST_ELEMENTS) return false;
  }
  return true;
}

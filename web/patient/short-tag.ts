/** Longer tag names are shortened, with the full name as the title. In characters. */
const SHOWN_LENGTH = 30;

/** Returns a tag's name as pages show it: at most 30 characters and an ellipsis. No character is cut in half. */
export const shortTag = (name: string): string => {
  const characters = [...name];
  return characters.length > SHOWN_LENGTH ? `${characters.slice(0, SHOWN_LENGTH).join('')}…` : name;
};

/** Returns the title of a tag: its full name, if that is shortened. */
export const tagTitle = (name: string): string | undefined => (shortTag(name) === name ? undefined : name);

/** Reads the id in what someone pasted: an id, or the address of the patient's page. Null if there is none. */
export const patientIdIn = (text: string): string | null =>
  /(?:^|\/)([1-9]\d{0,18}_\d{1,19})\/?$/.exec(text.trim())?.[1] ?? null;

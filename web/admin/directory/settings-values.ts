/** The patient record settings as they are typed in their form. */

/** Links: fields one a line, states with commas between. */
export interface LinkValues {
  pulseUrl: string;
  pulseFields: string;
  pulseStates: string;
  vyncaUrl: string;
  vyncaFields: string;
}

/** Days: one per line, MM/DD/YYYY. */
export interface HolidayValues {
  addedHolidays: string;
  removedHolidays: string;
}

export type SettingsValues = LinkValues &
  HolidayValues & { allowsEmergencyAccess: boolean; embeddedSpotlights: string };

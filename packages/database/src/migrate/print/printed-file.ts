export interface PrintedFile {
  /** Below the folder of the tool's migrations. */
  readonly path: string;
  readonly text: string;
}

/** A migration as the tools get it. */
export interface PrintedMigration {
  /** `duework_schedules` */
  readonly label: string;
  readonly sql: string;
}

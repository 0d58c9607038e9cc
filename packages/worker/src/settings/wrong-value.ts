/** What is wrong with the value of one setting; the message goes on after the setting's name: `must be …`. */
export class WrongValue extends Error {}

export async function prepareDatabase() {}

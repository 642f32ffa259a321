-- Deleting financial events asks for a permission of its own: whoever administers a ledger has it.
-- What the chain of activity says of keys that were issued before stays as it was recorded.
update api_keys set permissions = array_append(permissions, 'manage')
where 'admin' = any (permissions) and not 'manage' = any (permissions);

"""Rules about the file as a whole: encoding, XML, version, weights file, suppression comments."""

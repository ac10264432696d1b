"""What people see, read and hear: pictures, phrases in three languages, tones and speech.

All of it is pure. `pictures.picture` draws what the referee shows, `sounds.pattern` plays its
tones, `spoken.spoken` says it aloud, `care.Care` spares the panel, `languages.words` speaks.
Nothing is imported here, so that who wants only the phrases need not load Pillow.
"""
